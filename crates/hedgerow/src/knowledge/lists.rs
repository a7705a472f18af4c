//! Many short lists of numbers in one allocation.

/// A list for each number from 0 on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lists {
    /// The start of each list, and at the end the number of items.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub(crate) fn of(lists: impl Iterator<Item = impl IntoIterator<Item = u32>>) -> Self {
        let (mut starts, mut items) = (vec![0], Vec::new());
        for list in lists {
            items.extend(list);
            starts.push(items.len() as u32);
        }
        Self { starts, items }
    }

    /// Returns lists of the given lengths, one after another, or `None` if `items` does not fit.
    pub(crate) fn of_lengths(lengths: &[u32], items: Vec<u32>) -> Option<Self> {
        let mut starts = Vec::with_capacity(lengths.len() + 1);
        let mut end = 0u32;
        starts.push(end);
        for &length in lengths {
            end = end.checked_add(length)?;
            starts.push(end);
        }
        // Lengths come from a packed file and may not match.
        (end as usize == items.len()).then_some(Self { starts, items })
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(crate) fn get(&self, number: u32) -> &[u32] {
        &self.items[self.range(number)]
    }

    /// Returns the positions of a list among all items.
    pub(crate) fn range(&self, number: u32) -> std::ops::Range<usize> {
        let number = number as usize;
        self.starts[number] as usize..self.starts[number + 1] as usize
    }

    /// Returns all items, one list after another.
    pub(crate) fn items(&self) -> &[u32] {
        &self.items
    }

    pub(crate) fn items_mut(&mut self) -> &mut [u32] {
        &mut self.items
    }

    pub(crate) fn lengths(&self) -> Vec<u32> {
        self.starts.windows(2).map(|ends| ends[1] - ends[0]).collect()
    }

    /// Returns the list of each item.
    pub(crate) fn owners(&self) -> Vec<u32> {
        let lists = (0..).zip(self.starts.windows(2));
        lists.flat_map(|(list, ends)| (ends[0]..ends[1]).map(move |_| list)).collect()
    }

    /// Returns, for each number below `n`, its positions among all items.
    pub(crate) fn places(&self, n: usize) -> Self {
        // A counting sort, which keeps positions ascending.
        let mut starts = vec![0; n + 1];
        self.items.iter().for_each(|&item| starts[item as usize + 1] += 1);
        for number in 0..n {
            starts[number + 1] += starts[number];
        }
        let mut next = starts.clone();
        let mut items = vec![0; self.items.len()];
        for (place, &item) in (0..).zip(&self.items) {
            items[next[item as usize] as usize] = place;
            next[item as usize] += 1;
        }
        Self { starts, items }
    }

    /// Returns, for each number below `n`, the lists that contain it.
    pub(crate) fn inverse(&self, n: usize) -> Self {
        let owners = self.owners();
        let mut inverse = self.places(n);
        inverse.items.iter_mut().for_each(|place| *place = owners[*place as usize]);
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_of_an_inverse_is_the_lists_again() {
        let lists = Lists::of([vec![1, 2], vec![], vec![0, 2]].into_iter());
        let inverse = lists.inverse(3);
        assert_eq!(
            (inverse.get(0), inverse.get(1), inverse.get(2)),
            (&[2][..], &[0][..], &[0, 2][..])
        );
        assert_eq!(inverse.inverse(3), lists);
        assert_eq!(Lists::of_lengths(&lists.lengths(), lists.items().to_vec()), Some(lists));
        assert_eq!(Lists::of_lengths(&[1, 2], vec![7]), None);
    }
}
