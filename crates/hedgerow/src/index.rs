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

/// Defines an index like [`index!`], of which an `Option` is no larger than the index: it holds its
/// number plus one. The number `u32::MAX` is not an index.
macro_rules! niche_index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(std::num::NonZeroU32);

        impl $name {
            /// The index of a position. Arrays have fewer than 2^32 - 1 elements, because `Counter`
            /// refuses more distinct tuples than that.
            #[inline]
            pub const fn new(position: usize) -> Self {
                Self(std::num::NonZeroU32::MIN.saturating_add(position as u32))
            }

            /// The first `n` indices in order.
            #[inline]
            pub fn first(n: usize) -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator + Clone {
                (0..n as u32).map(Self::from)
            }

            /// The position in an array.
            #[inline]
            pub const fn index(self) -> usize {
                self.0.get() as usize - 1
            }

            /// The number itself.
            #[inline]
            pub const fn get(self) -> u32 {
                self.0.get() - 1
            }
        }

        impl From<u32> for $name {
            #[inline]
            fn from(number: u32) -> Self {
                Self::new(number as usize)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.get()).finish()
            }
        }
    };
}

pub(crate) use {index, niche_index};
