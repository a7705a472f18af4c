//! Index types: numbers that cannot be mistaken for each other.

/// Defines an index: a position in an array of its own, as a type of its own.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $crate::index::index! { $(#[$doc])* pub $name }
    };
    ($(#[$doc:meta])* $vis:vis $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(u32);

        impl $name {
            /// The index of a position. Arrays have fewer than 2^32 elements, because `Counter`
            /// refuses more distinct tuples than that.
            #[inline]
            $vis const fn new(position: usize) -> Self {
                Self(position as u32)
            }

            /// The position in an array.
            #[inline]
            $vis const fn index(self) -> usize {
                self.get() as usize
            }

            /// The number itself.
            #[inline]
            $vis const fn get(self) -> u32 {
                self.0
            }
        }

        impl From<u32> for $name {
            #[inline]
            fn from(number: u32) -> Self {
                Self(number)
            }
        }
    };
}

pub(crate) use index;
