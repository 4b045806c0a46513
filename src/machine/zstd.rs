//! Bytes to fewer bytes and back, in the format of zstd.
//!
//! On systems with files this is the C library. Elsewhere, as in WebAssembly, it is a decoder in
//! Rust: what was written can be read, and writing is an error of the kind
//! [`Unsupported`](std::io::ErrorKind::Unsupported), as writing a file is there. What the header of
//! a frame may ask for, and that nothing follows the frame, is held here for both.

use std::io::{self, BufRead, BufReader, Chain, Cursor, ErrorKind, Read};

#[cfg(any(unix, windows))]
pub(crate) use by_c::{Decompressor, Reader, compress_bound, decompress, literal_compressor};
#[cfg(any(unix, windows))]
pub(crate) use zstd::bulk::{Compressor, compress};

#[cfg(not(any(unix, windows)))]
pub(crate) use by_rust::{
    Compressor, Decompressor, Reader, compress, compress_bound, decompress, literal_compressor,
};

/// The longest window that a frame may ask for, in bytes: what the levels up to 19 use.
const WINDOW: u64 = 8 << 20;
/// The first bytes of a frame, as a number.
const MAGIC: u64 = 0xFD2F_B528;
/// Bits of a header's descriptor: the content is its own window; one that no frame has.
const SINGLE_SEGMENT: u64 = 0x20;
const RESERVED: u64 = 0x08;

/// A frame: its header, which was looked at, and what follows.
type Source<R> = Chain<Cursor<Vec<u8>>, BufReader<R>>;

/// Looks at the header of the frame that begins here; gives back the whole frame, and how many
/// bytes its content has, if it says so.
///
/// # Errors
/// If no frame begins here, or one that asks for too long a window; if the bytes cannot be read.
fn begin<R: Read>(inner: R) -> io::Result<(Source<R>, Option<u64>)> {
    let (mut input, mut header) = (BufReader::new(inner), Vec::new());
    let mut take = |bytes: usize| {
        let mut field = [0; 8];
        input.read_exact(&mut field[..bytes]).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => invalid("a zstd frame, found the end within its header"),
            _ => error,
        })?;
        header.extend(&field[..bytes]);
        Ok::<u64, io::Error>(u64::from_le_bytes(field))
    };
    if take(4)? != MAGIC {
        return Err(invalid("a zstd frame, found other first bytes"));
    }
    let descriptor = take(1)?;
    if descriptor & RESERVED != 0 {
        return Err(invalid("a zstd frame, found a header that none has"));
    }
    let single = descriptor & SINGLE_SEGMENT != 0;
    let window = (!single).then(|| take(1)).transpose()?;
    // The number of a dictionary.
    take([0, 1, 2, 4][descriptor as usize & 3])?;
    let content = match (descriptor >> 6, single) {
        (0, false) => None,
        (0, true) => Some(take(1)?),
        (1, _) => Some(take(2)? + 256),
        (2, _) => Some(take(4)?),
        _ => Some(take(8)?),
    };
    // Eighths of a power of two.
    let window = window.map(|byte| (8 + (byte & 7)) << (7 + (byte >> 3))).or(content);
    match window {
        Some(window) if window > WINDOW => Err(invalid(&format!(
            "a zstd frame with a window of at most {WINDOW} bytes, found one of {window}"
        ))),
        _ => Ok((Cursor::new(header).chain(input), content)),
    }
}

/// Makes sure that nothing follows a frame.
///
/// # Errors
/// If something does, be it a frame; if the bytes cannot be read.
fn end(mut rest: impl BufRead) -> io::Result<()> {
    match rest.fill_buf()? {
        [] => Ok(()),
        _ => Err(invalid("nothing after a zstd frame, found more bytes")),
    }
}

/// That something else was expected.
fn invalid(expected: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("expected {expected}"))
}

/// That bytes are no frame of at most `most` bytes. What the decoder says is about its buffers.
fn undecodable(most: usize) -> io::Error {
    invalid(&format!("a zstd frame of at most {most} bytes, found one that is damaged or longer"))
}

#[cfg(any(unix, windows))]
mod by_c {
    use std::io::{self, Read};

    use zstd::bulk::{self, Compressor};
    use zstd::stream::read::Decoder;
    use zstd::zstd_safe::{CParameter, ParamSwitch};

    use super::{Source, begin, end, undecodable};

    pub(crate) use zstd::zstd_safe::compress_bound;

    /// Decodes one frame, behind which nothing may follow, in bounded memory, whatever its header
    /// asks for.
    pub(crate) struct Reader<R: Read>(Decoder<'static, Source<R>>);

    impl<R: Read> Reader<R> {
        /// # Errors
        /// If no frame begins here, or one that asks for too long a window; if the bytes cannot be
        /// read.
        pub(crate) fn new(inner: R) -> io::Result<Self> {
            let (source, _) = begin(inner)?;
            Ok(Self(Decoder::with_buffer(source)?.single_frame()))
        }
    }

    impl<R: Read> Read for Reader<R> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let count = self.0.read(bytes)?;
            if count == 0 && !bytes.is_empty() {
                end(self.0.get_mut())?;
            }
            Ok(count)
        }
    }

    /// Decodes frames whose length is known.
    pub(crate) struct Decompressor<'a>(bulk::Decompressor<'a>);

    impl Decompressor<'_> {
        pub(crate) fn new() -> io::Result<Self> {
            bulk::Decompressor::new().map(Self)
        }

        /// Decodes into `raw` and returns how many bytes of it are filled.
        pub(crate) fn decompress_to_buffer(
            &mut self,
            encoded: &[u8],
            raw: &mut [u8],
        ) -> io::Result<usize> {
            let most = raw.len();
            self.0.decompress_to_buffer(encoded, raw).map_err(|_| undecodable(most))
        }
    }

    /// Decodes at most `most` bytes.
    pub(crate) fn decompress(encoded: &[u8], most: usize) -> io::Result<Vec<u8>> {
        bulk::decompress(encoded, most).map_err(|_| undecodable(most))
    }

    /// A compressor that Huffman-codes literals at every level, also where zstd would not.
    pub(crate) fn literal_compressor(level: i32) -> io::Result<Compressor<'static>> {
        let mut zstd = Compressor::new(level)?;
        zstd.set_parameter(CParameter::LiteralCompressionMode(ParamSwitch::Enable))?;
        Ok(zstd)
    }
}

// The tests hold it against the C library.
#[cfg(any(test, not(any(unix, windows))))]
mod by_rust {
    use std::io::{self, Read};
    use std::marker::PhantomData;

    use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
    use xxhash_rust::xxh64::Xxh64;

    use super::{Source, begin, end, invalid, undecodable};

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
            let most = raw.len();
            self.0.decode_all(encoded, raw).map_err(|_| undecodable(most))
        }
    }

    /// Decodes at most `most` bytes.
    pub(crate) fn decompress(encoded: &[u8], most: usize) -> io::Result<Vec<u8>> {
        let mut raw = vec![0; most];
        let count = Decompressor::new()?.decompress_to_buffer(encoded, &mut raw)?;
        raw.truncate(count);
        Ok(raw)
    }

    /// As that of the C library, which compares the content with what the frame says of it too.
    pub(crate) struct Reader<R: Read> {
        decoder: StreamingDecoder<Source<R>, FrameDecoder>,
        /// Bytes of the content, if the header says so.
        content: Option<u64>,
        /// Bytes that were read of it, and their hash.
        read: u64,
        hash: Xxh64,
    }

    impl<R: Read> Reader<R> {
        /// # Errors
        /// If no frame begins here, or one that asks for too long a window; if the bytes cannot be
        /// read.
        pub(crate) fn new(inner: R) -> io::Result<Self> {
            let (source, content) = begin(inner)?;
            let decoder = StreamingDecoder::new(source).map_err(io::Error::other)?;
            Ok(Self { decoder, content, read: 0, hash: Xxh64::new(0) })
        }

        /// Makes sure that the frame, whose content was read, holds what it says, and that nothing
        /// follows it.
        fn end(&mut self) -> io::Result<()> {
            // The checksum is the lower half of the hash.
            let checksum = self.decoder.decoder.get_checksum_from_data();
            if checksum.is_some_and(|checksum| checksum != self.hash.digest() as u32)
                || self.content.is_some_and(|bytes| bytes != self.read)
            {
                return Err(invalid("a zstd frame with the content that it says, found another"));
            }
            end(self.decoder.get_mut())
        }
    }

    impl<R: Read> Read for Reader<R> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let count = self.decoder.read(bytes)?;
            self.read += count as u64;
            self.hash.update(&bytes[..count]);
            if count == 0 && !bytes.is_empty() {
                self.end()?;
            }
            Ok(count)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::long::long_tests;
    use proptest::prelude::*;
    use zstd::stream::write::Encoder;

    /// What a reader makes of some bytes, read a few at a time.
    fn content(reader: io::Result<impl Read>) -> Result<Vec<u8>, String> {
        let (mut all, mut some) = (Vec::new(), [0; 1000]);
        let read = || {
            let mut reader = reader?;
            loop {
                match reader.read(&mut some)? {
                    0 => return Ok(()),
                    count => all.extend(&some[..count]),
                }
            }
        };
        read().map_err(|error: io::Error| error.to_string()).map(|()| all)
    }

    /// What both readers make of some bytes.
    fn both(bytes: &[u8]) -> [Result<Vec<u8>, String>; 2] {
        [content(by_c::Reader::new(bytes)), content(by_rust::Reader::new(bytes))]
    }

    /// Refused by both, for the same reason.
    fn refused(bytes: &[u8]) -> String {
        let [by_c, by_rust] = both(bytes).map(Result::unwrap_err);
        assert_eq!(by_c, by_rust);
        by_c
    }

    /// A frame of some bytes at a level: its size and a checksum are in it, or not.
    fn frame(raw: &[u8], level: i32, sized: bool, checked: bool) -> Vec<u8> {
        let mut encoder = Encoder::new(Vec::new(), level).unwrap();
        encoder.include_checksum(checked).unwrap();
        encoder.include_contentsize(sized).unwrap();
        encoder.set_pledged_src_size(Some(raw.len() as u64)).unwrap();
        io::Write::write_all(&mut encoder, raw).unwrap();
        encoder.finish().unwrap()
    }

    /// The frame that zstd skips, of some bytes.
    fn skippable(bytes: &[u8]) -> Vec<u8> {
        let head = [0x184D_2A50, bytes.len() as u32].map(u32::to_le_bytes).concat();
        [&head, bytes].concat()
    }

    /// A frame without content whose header has this descriptor and these bytes behind it.
    fn headed(descriptor: u8, rest: &[u8]) -> Vec<u8> {
        let last_block = [1, 0, 0];
        [&0xFD2F_B528_u32.to_le_bytes()[..], &[descriptor], rest, &last_block].concat()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if long_tests() { 1000 } else { 64 }))]

        #[test]
        fn one_frame_is_read_by_both(
            raw in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..600),
                proptest::collection::vec(0..3u8, 0..300_000),
            ],
            level in 1..=19,
            sized: bool,
            checked: bool,
        ) {
            let bytes = frame(&raw, level, sized, checked);
            let [by_c, by_rust] = both(&bytes);
            prop_assert_eq!(by_c.as_ref(), Ok(&raw));
            prop_assert_eq!(by_rust.as_ref(), Ok(&raw));
        }
    }

    #[test]
    fn what_follows_a_frame_is_refused() {
        let raw = vec![7; 300_000];
        for raw in [&raw[..], b"", b"some"] {
            for (sized, checked) in [(true, false), (false, true)] {
                let one = frame(raw, 3, sized, checked);
                assert!(both(&one).iter().all(Result::is_ok));
                for more in [&b"x"[..], &one, &frame(b"", 3, true, false), &skippable(b"")] {
                    let error = refused(&[&one, more].concat());
                    assert_eq!(error, "expected nothing after a zstd frame, found more bytes");
                }
            }
        }
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        let one = frame(b"some", 3, true, true);
        for before in [skippable(b""), skippable(b"some"), b"junk".to_vec()] {
            let error = refused(&[&before[..], &one].concat());
            assert_eq!(error, "expected a zstd frame, found other first bytes");
        }
        for end in 0..one.len() {
            assert!(both(&one[..end]).iter().all(Result::is_err), "{end} bytes");
        }
        let error = refused(&one[..5]);
        assert_eq!(error, "expected a zstd frame, found the end within its header");
        assert!(refused(&headed(RESERVED as u8, &[0])).contains("a header that none has"));
        assert!(both(&headed(1, &[0, 9])).iter().all(Result::is_err), "with a dictionary");
    }

    #[test]
    fn a_frame_is_read_within_its_window_only() {
        // 8 MiB is a power of two, 2^23; its next eighth is too much.
        for header in [headed(0, &[13 << 3]), headed(0x80, &[13 << 3, 0, 0, 0, 0])] {
            assert_eq!(both(&header), [Ok(Vec::new()), Ok(Vec::new())]);
        }
        let most = "expected a zstd frame with a window of at most 8388608 bytes, found one of";
        for (header, found) in [
            (headed(0, &[13 << 3 | 1]), (8 << 20) + (1 << 20)),
            (headed(0, &[u8::MAX]), 15 << 38),
            (headed(0xA0, &[1, 0, 128, 0]), (8 << 20) + 1),
            (headed(0xE0, &[u8::MAX; 8]), u64::MAX),
        ] {
            assert_eq!(refused(&header), format!("{most} {found}"));
        }
        // Content of the length of the window, which is its own window.
        let raw = vec![1; 8 << 20];
        let one = frame(&raw, 19, true, false);
        assert!(both(&one).iter().all(|found| found.as_ref() == Ok(&raw)));
        assert!(refused(&frame(&[&raw[..], &[1]].concat(), 22, true, false)).starts_with(most));
    }

    #[test]
    fn a_frame_holds_what_it_says() {
        let one = frame(b"some bytes", 3, true, true);
        for at in 5..one.len() {
            let mut changed = one.clone();
            changed[at] ^= 1;
            assert!(both(&changed).iter().all(Result::is_err), "byte {at}");
        }
        let mut longer = frame(b"some bytes", 3, true, false);
        longer[5] += 1;
        assert!(both(&longer).iter().all(Result::is_err));
    }

    #[test]
    fn without_c_the_same_is_decoded_and_nothing_is_compressed() {
        for bytes in [0, 1, 1000, (128 << 10) - 1, 128 << 10, 1 << 30] {
            assert_eq!(by_rust::compress_bound(bytes), compress_bound(bytes));
        }
        let raw = vec![3; 5000];
        let packed = compress(&raw, 3).unwrap();
        assert_eq!(by_rust::decompress(&packed, 5000).unwrap(), raw);
        for error in [by_rust::decompress(&packed, 4999), decompress(&packed, 4999)] {
            let error = error.unwrap_err().to_string();
            let expected =
                "expected a zstd frame of at most 4999 bytes, found one that is damaged or longer";
            assert_eq!(error, expected);
        }
        let error = by_rust::compress(&raw, 3).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let error = by_rust::literal_compressor(3)
            .and_then(|mut zstd| zstd.compress_to_buffer(&raw, &mut []))
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }
}
