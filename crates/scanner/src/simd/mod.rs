//! Which bytes belong to a set, and where the colons are, by the vectors of the machine. No rule about
//! URLs stands here.

#[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
mod avx2;
mod byteset;
mod colons;
mod window;

pub(crate) use byteset::ByteSet;
pub(crate) use colons::Colons;
pub(crate) use window::Window;
