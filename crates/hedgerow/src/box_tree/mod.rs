//! A tree of nested boxes of cohorts, so that a search can skip those that are too far away.

mod space;

pub(crate) use space::Space;

use std::ops::Range;

use crate::table::Cohort;

/// Number of cohorts up to which a box is not divided further.
pub(crate) const BOX_SIZE: usize = 8;

/// The extent of a box in one attribute: the least and the greatest leaf, or the bits of a set.
pub(crate) type Span = (u32, u32);

/// The box that contains everything.
const OUTERMOST: u32 = 0;

/// All cohorts in nested boxes, each with the spans of its cohorts and a note for the search.
///
/// Boxes are numbered in pre-order; box 0 holds everything. The caller decides the meaning of a
/// span, where a box is divided and in which order the halves are opened.
#[derive(Debug)]
pub(crate) struct BoxTree<N> {
    cells: Vec<Cell<N>>,
    /// The spans of all boxes, `width` for each.
    spans: Vec<Span>,
    /// Number of spans per box.
    width: usize,
    /// The cohorts, ordered by box.
    cohorts: Vec<Cohort>,
    /// The smallest box of each cohort.
    box_of: Vec<u32>,
}

/// A box of cohorts.
#[derive(Debug)]
struct Cell<N> {
    start: u32,
    end: u32,
    /// Number of its second half; the first half is the next box. 0 for a box that is not divided.
    second: u32,
    /// The box that this one is a half of; 0 for the outermost box.
    parent: u32,
    note: N,
}

impl<N: Copy> BoxTree<N> {
    /// Divides all cohorts into boxes, each with the given note.
    ///
    /// `divide` receives the cohorts of a box. It appends the spans of the box, one for each
    /// attribute, orders the cohorts, and returns where the second half begins, or `None` for a box
    /// that is not divided.
    pub(crate) fn new(
        n_cohorts: usize,
        width: usize,
        note: N,
        mut divide: impl FnMut(&mut [Cohort], &mut Vec<Span>) -> Option<usize>,
    ) -> Self {
        let mut cells: Vec<Cell<N>> = Vec::with_capacity(2 * n_cohorts / BOX_SIZE + 1);
        let mut spans = Vec::new();
        let mut cohorts: Vec<Cohort> = Cohort::first(n_cohorts).collect();
        let mut box_of = vec![0; n_cohorts];
        // A stack instead of recursion, since unbalanced cuts can make the tree deep.
        let mut open = vec![(0, n_cohorts, OUTERMOST)];
        while let Some((start, end, parent)) = open.pop() {
            let number = cells.len() as u32;
            // The box directly after its parent is the first half, every other one the second.
            if number != OUTERMOST && number != parent + 1 {
                cells[parent as usize].second = number;
            }
            cells.push(Cell { start: start as u32, end: end as u32, second: 0, parent, note });
            let members = &mut cohorts[start..end];
            match divide(members, &mut spans) {
                Some(middle) => {
                    // The first half is pushed last, so that it is numbered next (pre-order).
                    open.push((start + middle, end, number));
                    open.push((start, start + middle, number));
                }
                None => members.iter().for_each(|&cohort| box_of[cohort.index()] = number),
            }
        }
        Self { cells, spans, width, cohorts, box_of }
    }

    pub(crate) fn n_boxes(&self) -> usize {
        self.cells.len()
    }

    /// The cohorts, ordered so that neighbours are near each other.
    pub(crate) fn cohorts(&self) -> &[Cohort] {
        &self.cohorts
    }

    /// Returns the range of a box in [`Self::cohorts`].
    #[inline]
    pub(crate) fn places(&self, number: u32) -> Range<usize> {
        let cell = &self.cells[number as usize];
        cell.start as usize..cell.end as usize
    }

    /// Returns the halves of a box, or `None` if it is not divided.
    #[inline]
    pub(crate) fn halves(&self, number: u32) -> Option<[u32; 2]> {
        let second = self.cells[number as usize].second;
        (second > 0).then_some([number + 1, second])
    }

    /// Returns the spans of a box.
    #[inline]
    pub(crate) fn spans(&self, number: u32) -> &[Span] {
        &self.spans[number as usize * self.width..][..self.width]
    }

    /// Returns the note of a box.
    #[inline]
    pub(crate) fn note(&self, number: u32) -> N {
        self.cells[number as usize].note
    }

    /// Sets the note of a box.
    pub(crate) fn set_note(&mut self, number: u32, note: N) {
        self.cells[number as usize].note = note;
    }

    /// Updates the notes of the boxes of a cohort, the smallest first, until `change` returns
    /// `None`.
    #[inline]
    pub(crate) fn climb(&mut self, cohort: Cohort, change: impl Fn(&Self, u32) -> Option<N>) {
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
