//! What a program does once for its whole process.

/// Blocks of so many bytes and more lie apart from all others, and go back to the system when they are freed: glibc's own
/// bound at first, which it would raise up to 32 MiB.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const OWN_MAPPING: i32 = 128 << 10;

/// Makes glibc's allocator keep to half as many heaps as there are cores, and to one at least; elsewhere it does nothing. By
/// itself it gives every other thread a heap of its own, and what one thread loads and another drops stays in the first
/// one's: under mixed load a process held three times what it used, and grew. And large blocks lie apart. To be called before other threads
/// are there. The binaries of this project do.
pub fn keep_to_few_heaps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let heaps = i32::try_from(cores / 2).unwrap_or(i32::MAX).max(1);
        #[expect(
            unsafe_code,
            reason = "the calls have no other form, and are sound while there is one thread"
        )]
        // SAFETY: each takes two numbers, and changes a setting of the allocator.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, heaps);
            libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_MAPPING);
        }
    }
}

/// Gives memory that is not used any more back to the system, where the allocator is glibc's, which by itself keeps what lies
/// between blocks in use. It takes milliseconds for each hundred megabytes.
pub fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "the call has no other form")]
        // SAFETY: it takes a number, may be called at any time, and touches no block in use.
        unsafe {
            libc::malloc_trim(0);
        }
    }
}
