//! Index types: numbers that cannot be mistaken for each other.

/// Defines an index: a position in an array of its own, as a type of its own.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The index of a position. Arrays have fewer than 2^32 elements, because `Counter`
            /// refuses more distinct tuples than that.
            #[inline]
            pub const fn new(position: usize) -> Self {
                Self(position as u32)
            }

            /// The position in an array.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The number itself.
            #[inline]
            pub const fn get(self) -> u32 {
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
