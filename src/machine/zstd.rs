//! Bytes to fewer bytes and back, in the format of zstd.
//!
//! On systems with files this is the C library. Elsewhere, as in WebAssembly, it is a decoder in
//! Rust: what was written can be read, and writing is an error of the kind
//! [`Unsupported`](std::io::ErrorKind::Unsupported), as writing a file is there.

#[cfg(any(unix, windows))]
pub(crate) use by_c::{Reader, compress_bound, literal_compressor};
#[cfg(any(unix, windows))]
pub(crate) use zstd::bulk::{Compressor, Decompressor, compress, decompress};

#[cfg(not(any(unix, windows)))]
pub(crate) use by_rust::{
    Compressor, Decompressor, Reader, compress, compress_bound, decompress, literal_compressor,
};

#[cfg(any(unix, windows))]
mod by_c {
    use std::io::{self, BufReader, Read};

    use zstd::bulk::Compressor;
    use zstd::stream::read::Decoder;
    use zstd::zstd_safe::{CParameter, ParamSwitch};

    pub(crate) use zstd::zstd_safe::compress_bound;

    /// The logarithm of the longest window that a stream may ask for: 8 MiB, which is what the
    /// levels up to 19 use.
    const WINDOW_LOG: u32 = 23;

    /// Decodes a stream in bounded memory, whatever its header asks for.
    pub(crate) struct Reader<R: Read>(Decoder<'static, BufReader<R>>);

    impl<R: Read> Reader<R> {
        pub(crate) fn new(inner: R) -> io::Result<Self> {
            let mut decoder = Decoder::new(inner)?;
            decoder.window_log_max(WINDOW_LOG)?;
            Ok(Self(decoder))
        }
    }

    impl<R: Read> Read for Reader<R> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.0.read(bytes)
        }
    }

    /// A compressor that Huffman-codes literals at every level, also where zstd would not.
    pub(crate) fn literal_compressor(level: i32) -> io::Result<Compressor<'static>> {
        let mut zstd = Compressor::new(level)?;
        zstd.set_parameter(CParameter::LiteralCompressionMode(ParamSwitch::Enable))?;
        Ok(zstd)
    }
}

#[cfg(not(any(unix, windows)))]
mod by_rust {
    use std::io::{self, BufReader, Read};
    use std::marker::PhantomData;

    use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

    fn unsupported<T>() -> io::Result<T> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "zstd is only read here, not written"))
    }

    /// The most bytes that so many become, as zstd has it.
    pub(crate) fn compress_bound(bytes: usize) -> usize {
        const SMALL: usize = 128 << 10;
        bytes + (bytes >> 8) + (SMALL.saturating_sub(bytes) >> 11)
    }

    pub(crate) fn compress(_: &[u8], _: i32) -> io::Result<Vec<u8>> {
        unsupported()
    }

    pub(crate) fn literal_compressor(level: i32) -> io::Result<Compressor<'static>> {
        Compressor::new(level)
    }

    /// There is none.
    pub(crate) struct Compressor<'a>(PhantomData<&'a ()>);

    impl Compressor<'_> {
        pub(crate) fn new(_: i32) -> io::Result<Self> {
            unsupported()
        }

        pub(crate) fn compress_to_buffer(&mut self, _: &[u8], _: &mut [u8]) -> io::Result<usize> {
            unsupported()
        }
    }

    pub(crate) struct Decompressor<'a>(FrameDecoder, PhantomData<&'a ()>);

    impl Decompressor<'_> {
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self(FrameDecoder::new(), PhantomData))
        }

        /// Decodes into `raw` and returns how many bytes of it are filled.
        pub(crate) fn decompress_to_buffer(
            &mut self,
            encoded: &[u8],
            raw: &mut [u8],
        ) -> io::Result<usize> {
            self.0.decode_all(encoded, raw).map_err(io::Error::other)
        }
    }

    /// Decodes at most `most` bytes.
    pub(crate) fn decompress(encoded: &[u8], most: usize) -> io::Result<Vec<u8>> {
        let mut raw = vec![0; most];
        let count = Decompressor::new()?.decompress_to_buffer(encoded, &mut raw)?;
        raw.truncate(count);
        Ok(raw)
    }

    pub(crate) struct Reader<R: Read>(StreamingDecoder<BufReader<R>, FrameDecoder>);

    impl<R: Read> Reader<R> {
        pub(crate) fn new(inner: R) -> io::Result<Self> {
            StreamingDecoder::new(BufReader::new(inner)).map(Self).map_err(io::Error::other)
        }
    }

    impl<R: Read> Read for Reader<R> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.0.read(bytes)
        }
    }
}
