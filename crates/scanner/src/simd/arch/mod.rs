//! One room for each set of instructions.

#[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
pub(crate) mod avx2;
#[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
pub(crate) mod avx512;
