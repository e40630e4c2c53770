//! Short names for what the dashboard's program asks of its script.
//!
//! wasm-bindgen calls each by what it is and a hash, once in the program and once in the script: six kilobytes that no
//! compressor makes smaller. Only the two of them use these names.

use std::ops::Range;

use crate::Result;

/// The sections of a module: <https://webassembly.github.io/spec/core/binary/modules.html>.
const IMPORTS: u8 = 2;
/// What stands before the first section: the word `\0asm` and the version.
const HEAD: usize = 8;

/// The module and its script with short names for what it imports from `from`. Each must stand in the script once.
pub(crate) fn shorten(module: &[u8], script: &str, from: &str) -> Result<(Vec<u8>, String)> {
    let mut reader = Reader { module, at: HEAD };
    while reader.at < module.len() {
        let start = reader.at;
        let kind = reader.byte()?;
        let length = reader.number()?;
        let end = reader.at + length;
        if kind == IMPORTS {
            let (imports, script) = imports(&mut reader, script, from)?;
            let mut short = module[..start].to_vec();
            short.push(IMPORTS);
            write_number(&mut short, imports.len());
            short.extend(imports);
            short.extend(&module[end..]);
            return Ok((short, script));
        }
        reader.at = end;
    }
    Err("the dashboard's program imports nothing".to_owned())
}

fn imports(reader: &mut Reader, script: &str, from: &str) -> Result<(Vec<u8>, String)> {
    let mut script = script.to_owned();
    let count = reader.number()?;
    let mut written = Vec::new();
    write_number(&mut written, count);
    for index in 0..count {
        let (room, name) = (reader.name()?, reader.name()?);
        let kind = reader.kind()?;
        let mut short = name.to_owned();
        if room == from {
            short = letters(index);
            let (long, key) = (format!(" {name}: "), format!(" {short}: "));
            if script.matches(&long).count() != 1 {
                return Err(format!(
                    "`{name}` does not stand in the dashboard's script once"
                ));
            }
            script = script.replace(&long, &key);
        }
        for word in [room, &short] {
            write_number(&mut written, word.len());
            written.extend(word.bytes());
        }
        written.extend(&reader.module[kind]);
    }
    Ok((written, script))
}

/// `a` to `z`, then `aa`, `ba` and so on.
fn letters(number: usize) -> String {
    let letter = char::from(b'a' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        rest => format!("{letter}{}", letters(rest - 1)),
    }
}

/// What stands next in a module.
struct Reader<'a> {
    module: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Result<u8> {
        let byte = self.module.get(self.at).ok_or(CUT)?;
        self.at += 1;
        Ok(*byte)
    }

    /// A number without sign, seven bits to a byte (LEB128).
    fn number(&mut self) -> Result<usize> {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(CUT.to_owned())
    }

    fn name(&mut self) -> Result<&'a str> {
        let length = self.number()?;
        let bytes = self.module.get(self.at..self.at + length).ok_or(CUT)?;
        self.at += length;
        std::str::from_utf8(bytes).map_err(|_| CUT.to_owned())
    }

    /// Where it stands what kind of thing is imported.
    fn kind(&mut self) -> Result<Range<usize>> {
        let start = self.at;
        match self.byte()? {
            // A function of some type.
            0 => {
                self.number()?;
            }
            // A table of some type, a memory: from how many to how many.
            kind @ (1 | 2) => {
                if kind == 1 {
                    self.byte()?;
                }
                let has_most = self.byte()? & 1 == 1;
                self.number()?;
                if has_most {
                    self.number()?;
                }
            }
            // A global of some type that changes or not.
            3 => {
                self.byte()?;
                self.byte()?;
            }
            _ => return Err("the dashboard's program imports what is not known here".to_owned()),
        }
        Ok(start..self.at)
    }
}

const CUT: &str = "the dashboard's program is no whole module";

fn write_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::{letters, shorten};

    /// A module that imports a memory from `a`, and a function each from `b` and `a`.
    const MODULE: &[u8] =
        b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x20\x03\x01a\x04heap\x02\x01\x01\x02\
        \x01b\x04many\0\0\x01a\x06others\0\0\x03\x01\0";

    #[test]
    fn what_is_imported_from_the_script_has_a_short_name_in_both() {
        let (module, script) =
            shorten(MODULE, "x = { many: 1, others: 2, }", "b").expect("it is a module");
        assert_eq!(script, "x = { b: 1, others: 2, }");
        assert_eq!(
            module,
            b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x1d\x03\x01a\x04heap\x02\x01\x01\x02\x01b\x01b\0\0\x01a\x06others\0\0\x03\x01\0"
        );
    }

    #[test]
    fn a_name_that_the_script_does_not_know_is_refused() {
        assert!(shorten(MODULE, "x = { others: 2, }", "b").is_err());
        assert!(shorten(&MODULE[..30], "x = { many: 1, }", "b").is_err());
    }

    #[test]
    fn no_two_numbers_have_the_same_letters() {
        let mut all: Vec<String> = (0..2000).map(letters).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 2000);
        assert_eq!([letters(0), letters(25), letters(26)], ["a", "z", "aa"]);
    }
}
