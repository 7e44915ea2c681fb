# For testing frameworks in the manner of OpenBench: `make EXE=NAME` builds the optimized engine for this machine and puts it
# beside this file. Only Rust is needed. For developers: `make fmt`, `make lint`, `make quick` (the tests), `make bench` (signature
# and speed).

EXE = tsumero

# Kept apart from other builds, so that the engine of one directory is never taken for that of another.
TARGET = target/make

ifeq ($(OS),Windows_NT)
    SUFFIX = .exe
    OUTPUT = $(EXE:.exe=).exe
else
    OUTPUT = $(EXE)
endif

.PHONY: all clean fmt lint quick bench

all:
	cargo build --release --locked --package tsumero --bin tsumero --target-dir $(TARGET)
	cp $(TARGET)/release/tsumero$(SUFFIX) $(OUTPUT)

clean:
	rm -rf $(TARGET)

fmt:
	cargo fmt --all

lint:
	cargo clippy --workspace --all-targets -- -D warnings

# Many tests wait, so there are more of them at once than processors. Nextest also runs those of several crates side by side.
quick: export NEXTEST_TEST_THREADS = $(shell echo $$((2 * $$(nproc || getconf _NPROCESSORS_ONLN))))
quick: export RUST_TEST_THREADS = $(NEXTEST_TEST_THREADS)
quick:
	if cargo nextest --version >/dev/null 2>&1; then cargo nextest run --cargo-profile quick && cargo quick --doc; else cargo quick; fi

bench:
	cargo run --release --package tsumero -- bench
