//! Pages of zeros, provided by the operating system when they are first touched. Where there is no
//! such system, as in a browser, they come from the allocator.
//!
//! The pointer to them comes from there and never from a reference, so whoever owns the pages
//! may write through it and may lend the values in them as shared references to atomics.

use std::mem::MaybeUninit;

/// The smallest page size. No value may need a larger alignment.
pub(crate) const PAGE: usize = 4096;
/// Pages up to this size together are cleared by writing zeros, which is faster than taking them anew.
pub(crate) const WRITTEN_OVER: usize = 32 << 20;

#[cfg(not(any(unix, windows)))]
pub(crate) use allocated::Pages;
#[cfg(any(unix, windows))]
pub(crate) use system::Pages;

impl Pages {
    /// Makes the system provide `bytes` from `start` on now, not at the first write. Returns where to
    /// continue, if pages remain.
    pub(crate) fn touch(&mut self, start: usize, bytes: usize) -> Option<usize> {
        let end = start.saturating_add(bytes).min(self.len());
        for place in (start..end).step_by(PAGE) {
            // SAFETY: the place is inside the pages, and `&mut self` means that nobody else uses them. The
            // same byte is written again, whatever it is: also the padding of a value, which is not
            // initialized, and part of a pointer. Volatile access keeps the compiler from noticing that.
            unsafe {
                let byte = self.start().add(place).cast::<MaybeUninit<u8>>();
                byte.write_volatile(byte.read_volatile());
            }
        }
        (end < self.len()).then_some(end)
    }

    /// Makes all bytes zero. Many pages are given back to the system, which provides zeros at the next
    /// touch. This takes a moment where writing zeros would take seconds.
    pub(crate) fn clear(&mut self) {
        if self.len() <= WRITTEN_OVER || !self.give_back() {
            // SAFETY: these are all bytes of the pages, and `&mut self` means that nobody else uses them.
            unsafe { self.start().write_bytes(0, self.len()) };
        }
    }
}

#[cfg(unix)]
mod system {
    use memmap2::{MmapMut, MmapRaw};

    /// Pages that belong to no file.
    pub(crate) struct Pages(MmapRaw);

    impl Pages {
        /// Takes at least so many bytes (more than none). `None` without enough memory.
        pub(crate) fn new(bytes: usize) -> Option<Pages> {
            Some(Pages(MmapMut::map_anon(bytes).ok()?.into()))
        }

        #[inline]
        pub(crate) fn start(&self) -> *mut u8 {
            self.0.as_mut_ptr()
        }

        pub(crate) fn len(&self) -> usize {
            self.0.len()
        }

        /// A failure is ignored: without huge pages the memory is slower, but works.
        pub(crate) fn use_huge_pages(&self) {
            #[cfg(target_os = "linux")]
            let _ = self.0.advise(memmap2::Advice::HugePage);
        }

        pub(crate) fn use_small_pages(&self) {
            #[cfg(target_os = "linux")]
            let _ = self.0.advise(memmap2::Advice::NoHugePage);
        }

        /// Gives the pages back. Returns whether that worked, so that all bytes are zero.
        #[cfg(target_os = "linux")]
        pub(super) fn give_back(&mut self) -> bool {
            // SAFETY: the map is private and belongs to no file, so pages given back read as zeros.
            // `&mut self` means that nobody uses them meanwhile.
            unsafe { self.0.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) }.is_ok()
        }

        /// On other systems the pages may keep their contents, so they are mapped anew.
        #[cfg(not(target_os = "linux"))]
        pub(super) fn give_back(&mut self) -> bool {
            let fresh = Pages::new(self.len());
            fresh.map(|pages| *self = pages).is_some()
        }
    }
}

/// A map without a file is a section of the paging file on Windows. Private memory is what large
/// tables are usually made of there, and it can be given back and taken again in place.
#[cfg(windows)]
mod system {
    use std::alloc::{Layout, handle_alloc_error};
    use std::ptr::{NonNull, null_mut};

    use windows_sys::Win32::System::Memory::{
        MEM_COMMIT, MEM_DECOMMIT, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE, VirtualAlloc,
        VirtualFree,
    };

    use super::PAGE;

    /// Private pages of the process.
    pub(crate) struct Pages {
        start: NonNull<u8>,
        layout: Layout,
    }

    // SAFETY: the pages belong to the process, not to a thread, and nothing here writes to them
    // without `&mut self`.
    unsafe impl Send for Pages {}
    // SAFETY: as above.
    unsafe impl Sync for Pages {}

    impl Pages {
        /// Takes at least so many bytes (more than none). `None` without enough memory.
        pub(crate) fn new(bytes: usize) -> Option<Pages> {
            let layout = Layout::from_size_align(bytes, PAGE).ok()?;
            // SAFETY: no address is asked for, so no other memory is concerned.
            let start = unsafe {
                VirtualAlloc(null_mut(), bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE)
            };
            Some(Pages { start: NonNull::new(start.cast())?, layout })
        }

        #[inline]
        pub(crate) fn start(&self) -> *mut u8 {
            self.start.as_ptr()
        }

        pub(crate) fn len(&self) -> usize {
            self.layout.size()
        }

        /// Windows gives huge pages only to users with a special right.
        pub(crate) fn use_huge_pages(&self) {}

        pub(crate) fn use_small_pages(&self) {}

        /// Gives the pages back and takes them again. Returns whether that worked, so that all bytes
        /// are zero.
        pub(super) fn give_back(&mut self) -> bool {
            let start = self.start().cast();
            // SAFETY: these are the pages that `new` took, and `&mut self` means that nobody uses them
            // meanwhile.
            if unsafe { VirtualFree(start, self.len(), MEM_DECOMMIT) } == 0 {
                return false;
            }
            // SAFETY: the address range is still reserved for these pages.
            let again = unsafe { VirtualAlloc(start, self.len(), MEM_COMMIT, PAGE_READWRITE) };
            if again.is_null() {
                // The pages were there a moment ago. Nobody may see their owner without them, so this ends
                // the process, as when the system has no memory left for a page that is touched. A panic
                // could be caught.
                handle_alloc_error(self.layout);
            }
            true
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: these are the pages that `new` took, and nobody can use them after this.
            unsafe { VirtualFree(self.start().cast(), 0, MEM_RELEASE) };
        }
    }
}

/// Pages from the allocator, for targets whose system maps no memory.
#[cfg(any(test, not(any(unix, windows))))]
mod allocated {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    use super::PAGE;

    /// Memory of the process.
    pub(crate) struct Pages {
        start: NonNull<u8>,
        layout: Layout,
    }

    // SAFETY: the memory belongs to no thread, and nothing here writes to it without `&mut self`.
    unsafe impl Send for Pages {}
    // SAFETY: as above.
    unsafe impl Sync for Pages {}

    impl Pages {
        /// Takes at least so many bytes (more than none). `None` without enough memory.
        pub(crate) fn new(bytes: usize) -> Option<Pages> {
            let layout = Layout::from_size_align(bytes.max(1), PAGE).ok()?;
            // SAFETY: the layout is not empty.
            let start = unsafe { alloc_zeroed(layout) };
            Some(Pages { start: NonNull::new(start)?, layout })
        }

        #[inline]
        pub(crate) fn start(&self) -> *mut u8 {
            self.start.as_ptr()
        }

        pub(crate) fn len(&self) -> usize {
            self.layout.size()
        }

        /// The allocator knows no huge pages.
        pub(crate) fn use_huge_pages(&self) {}

        pub(crate) fn use_small_pages(&self) {}

        /// Never gives the memory back, so that it is cleared by writing zeros.
        pub(super) fn give_back(&mut self) -> bool {
            false
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: this is the memory that `new` took with this layout, and nobody can use it after
            // this.
            unsafe { dealloc(self.start(), self.layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PAGE, allocated};

    #[test]
    fn allocated_pages_are_aligned_zeros_that_can_be_written() {
        for bytes in [1, PAGE, 3 * PAGE + 5] {
            let mut pages = allocated::Pages::new(bytes).expect("a few pages are free");
            assert_eq!((pages.start().addr() % PAGE, pages.len()), (0, bytes));
            for number in 0..bytes {
                // SAFETY: the byte is inside the pages, was zeroed, and nobody else uses it.
                unsafe {
                    let byte = pages.start().add(number);
                    assert_eq!(*byte, 0);
                    *byte = number as u8;
                    assert_eq!(*byte, number as u8);
                }
            }
            pages.use_huge_pages();
            pages.use_small_pages();
            assert!(!pages.give_back(), "zeros have to be written");
        }
        assert!(allocated::Pages::new(usize::MAX).is_none());
    }
}
