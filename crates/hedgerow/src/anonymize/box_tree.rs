//! Cohorts in nested boxes, so that a search can skip those that are too far.

use std::ops::Range;

use crate::table::Cohort;

/// How many cohorts share a box that is not divided further.
pub(super) const BOX_SIZE: usize = 8;

/// What the cohorts of a box have of one attribute: the least and the greatest leaf, or the bits of
/// a set.
pub(super) type Span = (u32, u32);

/// The box that holds everything.
const OUTERMOST: u32 = 0;

/// All cohorts in nested boxes, each with the spans of its cohorts and a note of the searcher.
///
/// Boxes are numbered in pre-order: 0 holds everything. What a box spans, where it is divided and
/// in which order halves are opened is up to the searcher.
#[derive(Debug)]
pub(super) struct BoxTree<N> {
    cells: Vec<Cell<N>>,
    /// The spans of each box.
    spans: Vec<Span>,
    /// How many spans a box has.
    width: usize,
    /// The cohorts, box by box.
    cohorts: Vec<Cohort>,
    /// The smallest box of each cohort.
    box_of: Vec<u32>,
}

/// A box of cohorts.
#[derive(Debug)]
struct Cell<N> {
    start: u32,
    end: u32,
    /// Where its second half is; the first half is the next box. 0 for a box that is not divided.
    second: u32,
    /// The box that it is a half of; 0 for the outermost one.
    parent: u32,
    note: N,
}

impl<N: Copy> BoxTree<N> {
    /// Divides all cohorts into boxes with the same note.
    ///
    /// `divide` is given the cohorts of a box. It appends the box's spans, one for each attribute,
    /// and returns where the second half begins once it has put the cohorts in order, or `None` for
    /// a box that stays whole.
    pub(super) fn new(
        n_cohorts: usize,
        width: usize,
        note: N,
        mut divide: impl FnMut(&mut [Cohort], &mut Vec<Span>) -> Option<usize>,
    ) -> Self {
        let mut cells: Vec<Cell<N>> = Vec::with_capacity(2 * n_cohorts / BOX_SIZE + 1);
        let mut spans = Vec::new();
        let mut cohorts: Vec<Cohort> = Cohort::first(n_cohorts).collect();
        let mut box_of = vec![0; n_cohorts];
        let mut open = vec![(0, n_cohorts, OUTERMOST)];
        while let Some((start, end, parent)) = open.pop() {
            let number = cells.len() as u32;
            if number != OUTERMOST && number != parent + 1 {
                cells[parent as usize].second = number;
            }
            cells.push(Cell { start: start as u32, end: end as u32, second: 0, parent, note });
            let members = &mut cohorts[start..end];
            match divide(members, &mut spans) {
                Some(middle) => {
                    open.push((start + middle, end, number));
                    open.push((start, start + middle, number));
                }
                None => members.iter().for_each(|&cohort| box_of[cohort.index()] = number),
            }
        }
        Self { cells, spans, width, cohorts, box_of }
    }

    pub(super) fn n_boxes(&self) -> usize {
        self.cells.len()
    }

    /// The cohorts, neighbours near each other.
    pub(super) fn cohorts(&self) -> &[Cohort] {
        &self.cohorts
    }

    /// Where the cohorts of a box are among all.
    #[inline]
    pub(super) fn places(&self, number: u32) -> Range<usize> {
        let cell = &self.cells[number as usize];
        cell.start as usize..cell.end as usize
    }

    /// The halves of a box, or `None` if it is not divided.
    #[inline]
    pub(super) fn halves(&self, number: u32) -> Option<[u32; 2]> {
        let second = self.cells[number as usize].second;
        (second > 0).then_some([number + 1, second])
    }

    /// The spans of a box.
    #[inline]
    pub(super) fn spans(&self, number: u32) -> &[Span] {
        &self.spans[number as usize * self.width..][..self.width]
    }

    /// The note of a box.
    #[inline]
    pub(super) fn note(&self, number: u32) -> N {
        self.cells[number as usize].note
    }

    /// Changes the note of a box.
    pub(super) fn set_note(&mut self, number: u32, note: N) {
        self.cells[number as usize].note = note;
    }

    /// Changes the notes of a cohort's boxes, the smallest first, until `change` returns `None`.
    #[inline]
    pub(super) fn climb(&mut self, cohort: Cohort, change: impl Fn(&Self, u32) -> Option<N>) {
        let mut number = self.box_of[cohort.index()];
        while let Some(note) = change(self, number) {
            self.set_note(number, note);
            if number == OUTERMOST {
                break;
            }
            number = self.cells[number as usize].parent;
        }
    }
}
