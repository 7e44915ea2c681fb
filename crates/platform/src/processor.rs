//! Checks that this processor, if it is an x86-64, has the instructions that the program was compiled
//! to use.
//!
//! On an older processor, a program compiled for x86-64-v3 would crash with an illegal instruction,
//! and the user of a GUI would only see that the engine is gone. With this module, the program ends
//! with one line on standard error and exit code 2 instead.
//!
//! The compiler may use these instructions in every function of the program, and in all inlined
//! code. Even the code of the standard library that calls `main` may contain them. So the check
//! runs before `main`, as a constructor. It consists of assembly, constants and calls of the
//! operating system only.

/// The instruction level that this program was compiled for, with its best-known extension.
pub const LEVEL: &str = level::NAME;

/// The levels of x86-64, by the features that each adds to the one below:
/// <https://gitlab.com/x86-psABIs/x86-64-ABI>.
#[cfg(target_arch = "x86_64")]
mod level {
    /// Whether the program was compiled with all of the features.
    macro_rules! compiled_with {
        ($($feature:literal),* $(,)?) => {
            cfg!(all($(target_feature = $feature),*))
        };
    }

    const V2: bool = compiled_with!("cmpxchg16b", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3");
    const V3: bool = V2 && compiled_with!("avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe");
    const V4: bool =
        V3 && compiled_with!("avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl");

    pub(super) const NAME: &str = match (V4, V3, V2) {
        (true, ..) => "x86-64-v4 (AVX-512)",
        (_, true, _) => "x86-64-v3 (AVX2)",
        (.., true) => "x86-64-v2 (SSE4.2)",
        _ => "x86-64 (SSE2)",
    };

    /// The message to a user whose processor lacks something. It is a constant, because formatting
    /// would need functions that may use the level.
    pub(super) const REFUSAL: &str = match (V4, V3, V2) {
        (true, ..) => {
            "error: this program is made for processors with AVX-512 (x86-64-v4), which this \
             processor or system lacks; use the one made for x86-64-v3 or x86-64-v2\n"
        }
        (_, true, _) => {
            "error: this program is made for processors with AVX2 (x86-64-v3), which this \
             processor or system lacks; use the one made for x86-64-v2\n"
        }
        _ => {
            "error: this program is made for newer processors than this one; build it from its \
             source, as README.md says\n"
        }
    };
}

#[cfg(not(target_arch = "x86_64"))]
mod level {
    pub(super) const NAME: &str = match cfg!(target_arch = "aarch64") {
        true => "arm64 (NEON)",
        false => std::env::consts::ARCH,
    };
}

/// The constructor that runs before `main`. Other processors have none, because published programs
/// for them use only instructions that all of them have. A program that somebody compiled for one
/// such processor (`target-cpu=native`) is not checked on another.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod constructor {
    use super::{level, refusal, x86_64};

    // SAFETY: the section is the list of functions that the C runtime of the system calls, without
    // a use for their result, once the program is loaded and before `main`; arguments that some
    // systems hand over are ignored by the calling convention. The function needs nothing that
    // starts later: neither the standard library nor other constructors.
    #[used]
    #[cfg_attr(
        any(target_os = "linux", target_os = "android", target_os = "freebsd"),
        unsafe(link_section = ".init_array")
    )]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
    static BEFORE_MAIN: extern "C" fn() = check;

    extern "C" fn check() {
        if x86_64::lacks(&x86_64::WANTED) {
            refusal::refuse(level::REFUSAL);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86_64 {
    use std::arch::asm;

    /// Bits of `cpuid` and `xgetbv` that must be set.
    #[repr(C)]
    #[derive(Clone, Copy, Default, Debug)]
    pub(super) struct Wanted {
        /// Leaf 1, ECX.
        pub(super) leaf_1_ecx: u32,
        /// Leaf 7, EBX.
        pub(super) leaf_7_ebx: u32,
        /// Leaf 7, ECX.
        pub(super) leaf_7_ecx: u32,
        /// Leaf 7, subleaf 1, EAX.
        pub(super) leaf_7_1_eax: u32,
        /// Leaf 0x80000001, ECX.
        pub(super) extended_1_ecx: u32,
        /// Registers that the operating system saves: bits of XCR0. They are looked at only if the
        /// processor has all of the above, among it `xgetbv` (leaf 1, ECX, bit 27).
        pub(super) xcr0: u32,
    }

    /// A word with the given bit for each feature that the program was compiled with.
    macro_rules! compiled_with {
        ($($feature:literal: $bit:literal),* $(,)?) => {
            0 $(| (cfg!(target_feature = $feature) as u32) << $bit)*
        };
    }

    /// The bits that this program was compiled to need. Sources of the bit numbers: Intel's
    /// Software Developer's Manual, volume 2, instruction CPUID; AMD's Architecture Programmer's
    /// Manual, volume 3, appendix E.
    pub(super) static WANTED: Wanted = Wanted {
        leaf_1_ecx: compiled_with!(
            "sse3": 0, "pclmulqdq": 1, "ssse3": 9, "fma": 12, "cmpxchg16b": 13, "sse4.1": 19,
            "sse4.2": 20, "movbe": 22, "popcnt": 23, "aes": 25, "xsave": 26, "avx": 27, "avx": 28,
            "f16c": 29, "rdrand": 30,
        ),
        leaf_7_ebx: compiled_with!(
            "bmi1": 3, "avx2": 5, "bmi2": 8, "avx512f": 16, "avx512dq": 17, "rdseed": 18, "adx": 19,
            "avx512ifma": 21, "avx512cd": 28, "sha": 29, "avx512bw": 30, "avx512vl": 31,
        ),
        leaf_7_ecx: compiled_with!(
            "avx512vbmi": 1, "avx512vbmi2": 6, "gfni": 8, "vaes": 9, "vpclmulqdq": 10,
            "avx512vnni": 11, "avx512bitalg": 12, "avx512vpopcntdq": 14,
        ),
        leaf_7_1_eax: compiled_with!("avxvnni": 4, "avxifma": 23),
        extended_1_ecx: compiled_with!("lzcnt": 5, "sse4a": 6),
        // macOS provides the registers of AVX-512 when a program first uses them.
        xcr0: match (cfg!(target_feature = "avx512f"), cfg!(target_feature = "avx")) {
            (true, _) if cfg!(not(target_os = "macos")) => 0b1110_0110,
            (_, true) => 0b110,
            _ => 0,
        },
    };

    /// Whether this processor, or the system on it, lacks any of the wanted bits.
    ///
    /// It is written in assembly, because the compiler could use the very instructions that are
    /// tested: even `a & !b` is one of them.
    #[inline(always)]
    pub(super) fn lacks(wanted: &Wanted) -> bool {
        let lacking: u32;
        // SAFETY: every x86-64 processor has `cpuid`; `xgetbv` is reached only if bit 27 of leaf 1
        // says so. Only `wanted` is read. RBX, which the compiler keeps
        // for itself, is put back; every other register that changes is named.
        unsafe {
            asm!(
                "mov r8, rbx",
                // R10: the highest leaf; beyond it, processors answer with anything.
                "xor eax, eax",
                "cpuid",
                "mov r10d, eax",
                // R9: bits that are wanted but missing.
                "mov eax, 1",
                "xor ecx, ecx",
                "cpuid",
                "mov r11d, ecx",
                "not ecx",
                "and ecx, dword ptr [rsi]",
                "mov r9d, ecx",
                "xor eax, eax",
                "xor ebx, ebx",
                "xor ecx, ecx",
                "cmp r10d, 7",
                "jb 2f",
                "mov eax, 7",
                "cpuid",
                "2:",
                "not ebx",
                "and ebx, dword ptr [rsi + 4]",
                "or r9d, ebx",
                "not ecx",
                "and ecx, dword ptr [rsi + 8]",
                "or r9d, ecx",
                // EAX is the highest subleaf. `mov` leaves the flags as they are.
                "cmp eax, 1",
                "mov eax, 0",
                "jb 6f",
                "mov eax, 7",
                "mov ecx, 1",
                "cpuid",
                "6:",
                "not eax",
                "and eax, dword ptr [rsi + 12]",
                "or r9d, eax",
                "mov eax, 0x80000000",
                "cpuid",
                "xor ecx, ecx",
                "cmp eax, 0x80000001",
                "jb 3f",
                "mov eax, 0x80000001",
                "cpuid",
                "3:",
                "not ecx",
                "and ecx, dword ptr [rsi + 16]",
                "or r9d, ecx",
                "jnz 4f",
                "cmp dword ptr [rsi + 20], 0",
                "je 4f",
                // Without `xgetbv` the system saves none of the registers.
                "xor eax, eax",
                "bt r11d, 27",
                "jnc 5f",
                "xor ecx, ecx",
                "xgetbv",
                "5:",
                "not eax",
                "and eax, dword ptr [rsi + 20]",
                "mov r9d, eax",
                "4:",
                "mov rbx, r8",
                in("rsi") wanted,
                out("r8") _,
                out("r9") lacking,
                out("r10") _,
                out("r11") _,
                out("rax") _,
                out("rcx") _,
                out("rdx") _,
                options(nostack, readonly),
            );
        }
        lacking != 0
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Compares the answer for one bit with the standard library's.
        macro_rules! agrees {
            ($part:ident: $($feature:tt $bit:literal),* $(,)?) => {$(
                let wanted = Wanted { $part: 1 << $bit, ..Wanted::default() };
                let there = std::arch::is_x86_feature_detected!($feature);
                assert_eq!(lacks(&wanted), !there, "{}", $feature);
            )*};
        }

        #[test]
        fn the_standard_library_sees_the_same() {
            agrees!(leaf_1_ecx: "sse3" 0, "pclmulqdq" 1, "ssse3" 9, "cmpxchg16b" 13, "sse4.1" 19,
                "sse4.2" 20, "movbe" 22, "popcnt" 23, "aes" 25, "rdrand" 30);
            agrees!(leaf_7_ebx: "bmi1" 3, "bmi2" 8, "rdseed" 18, "adx" 19, "sha" 29);
            agrees!(extended_1_ecx: "lzcnt" 5, "sse4a" 6, "tbm" 21);
            // The standard library counts these only if the system saves their registers.
            let avx = 1 << 27 | 1 << 28;
            let there = std::arch::is_x86_feature_detected!("avx");
            let wanted = Wanted { leaf_1_ecx: avx, xcr0: 0b110, ..Wanted::default() };
            assert_eq!(lacks(&wanted), !there);
            let there = std::arch::is_x86_feature_detected!("avx2");
            assert_eq!(lacks(&Wanted { leaf_7_ebx: 1 << 5, ..wanted }), !there);
            let there = std::arch::is_x86_feature_detected!("avxvnni");
            assert_eq!(lacks(&Wanted { leaf_7_1_eax: 1 << 4, ..wanted }), !there);
            let there = std::arch::is_x86_feature_detected!("avxifma");
            assert_eq!(lacks(&Wanted { leaf_7_1_eax: 1 << 23, ..wanted }), !there);
            let wanted = Wanted { xcr0: 0b1110_0110, ..wanted };
            let there = std::arch::is_x86_feature_detected!("avx512f");
            assert_eq!(lacks(&Wanted { leaf_7_ebx: 1 << 16, ..wanted }), !there);
            let there = std::arch::is_x86_feature_detected!("avx512vbmi");
            assert_eq!(lacks(&Wanted { leaf_7_ecx: 1 << 1, ..wanted }), !there);
        }

        #[test]
        fn one_bit_too_many_is_one_too_many() {
            // A bit that no processor has.
            let never = Wanted { xcr0: 1 << 31, ..Wanted::default() };
            assert!(lacks(&never));
            assert!(!lacks(&Wanted::default()));
            // The tests run, so the processor has all that they were compiled with.
            assert!(!lacks(&WANTED));
            assert!(lacks(&Wanted { xcr0: WANTED.xcr0 | 1 << 31, ..WANTED }));
        }
    }
}

/// Ends the program without any function that may use the level: no allocation, no formatting, no
/// lock.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod refusal {
    /// Writes the text to standard error and ends the program with exit code 2.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse(text: &str) -> ! {
        #[cfg(unix)]
        // SAFETY: pointer and length are those of a string. Nothing has been started that would
        // have to be ended in order. If nobody can read the line, there is nothing left to say.
        unsafe {
            libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
            libc::_exit(2)
        }
        #[cfg(windows)]
        // SAFETY: as above; the texts are ASCII, which every code page shows, and far shorter than
        // 4 GB. A handle that is not there makes the writing fail, which changes nothing.
        unsafe {
            use windows_sys::Win32::Storage::FileSystem::WriteFile;
            use windows_sys::Win32::System::Console::{GetStdHandle, STD_ERROR_HANDLE};
            use windows_sys::Win32::System::Threading::ExitProcess;

            let mut written = 0;
            let length = text.len() as u32;
            let file = GetStdHandle(STD_ERROR_HANDLE);
            WriteFile(file, text.as_ptr(), length, &mut written, std::ptr::null_mut());
            ExitProcess(2)
        }
        #[cfg(not(any(unix, windows)))]
        {
            let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
            std::process::exit(2)
        }
    }
}
