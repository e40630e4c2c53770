//! Workbooks of one sheet for Excel and LibreOffice (Office Open XML, ECMA-376): a zip of XML parts, stored without compression.
//!
//! A number has the decimal places that it was sent with, by its format. A time is a date, so that it can be filtered and grouped by
//! month; a cell has no time zone, so its format says UTC. Texts are in their cells: shared strings would keep all of them in memory
//! twice.

use settlekit_core::value::Timestamp;

/// Maximum number of rows of a sheet, with the row of headings.
pub(crate) const ROWS_MAX: u64 = 1_048_576;
/// Maximum number of UTF-16 units in a cell.
const TEXT_MAX: usize = 32_767;
/// Maximum number of significant digits that every double keeps, and that Excel shows.
const DIGITS_MAX: usize = 15;
/// Maximum number of decimal places with a format.
const PLACES_MAX: usize = 28;

/// Styles: indexes into `cellXfs`.
const HEADING: usize = 1;
const TEXT: usize = 2;
const TIME: usize = 3;
/// A number without decimal places; those with some follow.
const NUMBER: usize = 4;

/// Id of the first format of this workbook; those below are built in.
const FORMAT: usize = 164;

/// Widths of columns in characters. Excel shows `####` for a number or date that is wider than its column.
const WIDTH_MIN: usize = 8;
const WIDTH_MAX: usize = 40;
const TIME_WIDTH: usize = "2026-11-21 09:30:00 UTC".len();

/// Days from the origin of dates, 1899-12-30, to 1970-01-01.
const EPOCH_DAY: i64 = 25_569;
/// The first day that Excel and LibreOffice count alike: Excel has a 29 February 1900.
const FIRST_DAY: i64 = 61;
const DAY_SECONDS: i64 = 86_400;
/// Decimal places of the part of a day: less than a microsecond.
const DAY_PARTS: i64 = 100_000_000_000;

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const TYPES: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/// Content of a cell; empty for an empty text.
pub(crate) enum Cell {
    Text(String),
    /// A plain decimal. It becomes a text if a double does not hold it exactly.
    Number(String),
    /// A date and time to the second. It becomes a text if spreadsheets have no such date.
    Time(Timestamp),
}

/// A finished workbook.
pub(crate) struct Workbook {
    /// The bytes of the file, in parts.
    pub(crate) parts: Vec<Vec<u8>>,
    /// Number of texts that were longer than a cell and are cut.
    pub(crate) cut: usize,
}

/// A sheet that is being filled.
pub(crate) struct Sheet {
    /// Letters and width of each column.
    columns: Vec<(String, usize)>,
    rows: String,
    count: u32,
    cut: usize,
}

impl Sheet {
    pub(crate) fn new(headings: &[String]) -> Self {
        let column = |at: usize| (letters(at), WIDTH_MIN);
        let mut sheet = Self {
            columns: (0..headings.len()).map(column).collect(),
            rows: String::new(),
            count: 0,
            cut: 0,
        };
        sheet.row(headings.iter().map(|heading| {
            let text = Cell::Text(heading.clone());
            (HEADING, text)
        }));
        sheet
    }

    pub(crate) fn push(&mut self, cells: impl Iterator<Item = Cell>) {
        self.row(cells.map(|cell| (TEXT, cell)));
    }

    /// Adds a row of cells, each with the style of its text.
    fn row(&mut self, cells: impl Iterator<Item = (usize, Cell)>) {
        self.count += 1;
        self.rows.push_str(&format!("<row r=\"{}\">", self.count));
        for (at, (style, cell)) in cells.enumerate() {
            match cell {
                Cell::Text(text) => self.text(at, style, &text),
                Cell::Number(text) => match exact_places(&text) {
                    Some(places) => self.value(at, NUMBER + places, &text, text.len()),
                    None => self.text(at, style, &text),
                },
                Cell::Time(time) => match serial(time) {
                    Some(serial) => self.value(at, TIME, &serial, TIME_WIDTH),
                    None => self.text(at, style, &time.to_string()),
                },
            }
        }
        self.rows.push_str("</row>");
    }

    fn text(&mut self, at: usize, style: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let (fits, is_cut) = cut(text);
        self.cut += usize::from(is_cut);
        let name = self.widen(at, fits.len());
        self.rows.push_str(&format!(
            "<c r=\"{name}\" s=\"{style}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">"
        ));
        escape(fits, &mut self.rows);
        self.rows.push_str("</t></is></c>");
    }

    fn value(&mut self, at: usize, style: usize, value: &str, width: usize) {
        let name = self.widen(at, width);
        self.rows
            .push_str(&format!("<c r=\"{name}\" s=\"{style}\"><v>{value}</v></c>"));
    }

    /// Widens a column for a content; returns the name of its cell in the current row.
    fn widen(&mut self, at: usize, width: usize) -> String {
        let Some((letters, widest)) = self.columns.get_mut(at) else {
            return format!("{}{}", letters(at), self.count);
        };
        *widest = width.clamp(*widest, WIDTH_MAX.max(*widest));
        format!("{letters}{}", self.count)
    }

    /// The workbook with this sheet; `name` is the sheet's name, of at most 31 letters and hyphens.
    pub(crate) fn finish(self, name: &str) -> Workbook {
        let width = |(at, (_, width)): (usize, &(String, usize))| {
            let number = at + 1;
            // A margin for the cell's padding and for wide letters.
            let width = width + 2;
            format!("<col min=\"{number}\" max=\"{number}\" width=\"{width}\" customWidth=\"1\"/>")
        };
        let widths: String = self.columns.iter().enumerate().map(width).collect();
        let widths = match widths.as_str() {
            "" => String::new(),
            widths => format!("<cols>{widths}</cols>"),
        };
        let head = format!(
            "{DECLARATION}<worksheet xmlns=\"{MAIN}\"><sheetViews><sheetView workbookViewId=\"0\">\
             <pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>\
             {widths}<sheetData>"
        );
        let sheet = [head, self.rows, "</sheetData></worksheet>".to_owned()];
        let mut zip = Zip::default();
        zip.add("[Content_Types].xml", [content_types()]);
        let root = relationships(&[("officeDocument", "xl/workbook.xml")]);
        zip.add("_rels/.rels", [root]);
        zip.add("xl/workbook.xml", [workbook(name)]);
        let parts = relationships(&[
            ("worksheet", "worksheets/sheet1.xml"),
            ("styles", "styles.xml"),
        ]);
        zip.add("xl/_rels/workbook.xml.rels", [parts]);
        zip.add("xl/styles.xml", [styles()]);
        zip.add("xl/worksheets/sheet1.xml", sheet);
        Workbook {
            parts: zip.finish(),
            cut: self.cut,
        }
    }
}

/// Letters of a column, counted from 0: A, …, Z, AA.
fn letters(at: usize) -> String {
    const ALPHABET: &[u8; 26] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let last = char::from(ALPHABET[at % 26]);
    match (at / 26).checked_sub(1) {
        Some(before) => format!("{}{last}", letters(before)),
        None => last.to_string(),
    }
}

/// Number of decimal places of a plain decimal; none for another text, and for one with more digits than a double keeps.
fn exact_places(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (digits, ""),
    };
    let is_plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = !whole.is_empty() && is_plain(whole) && is_plain(fraction);
    let kept = [whole, fraction.trim_end_matches('0')].concat();
    let is_exact = kept.trim_start_matches('0').len() <= DIGITS_MAX;
    (is_decimal && is_exact && fraction.len() <= PLACES_MAX).then_some(fraction.len())
}

/// A time as days since the origin of dates; none before [`FIRST_DAY`].
fn serial(time: Timestamp) -> Option<String> {
    let seconds = time.seconds();
    let day = seconds.div_euclid(DAY_SECONDS) + EPOCH_DAY;
    let rounded = (seconds.rem_euclid(DAY_SECONDS) * DAY_PARTS + DAY_SECONDS / 2) / DAY_SECONDS;
    (day >= FIRST_DAY).then(|| format!("{day}.{rounded:011}"))
}

/// The part of a text that fits a cell, and whether the rest is cut.
fn cut(text: &str) -> (&str, bool) {
    // No text has more UTF-16 units than bytes.
    if text.len() <= TEXT_MAX {
        return (text, false);
    }
    let mut units = 0;
    for (at, letter) in text.char_indices() {
        units += letter.len_utf16();
        if units > TEXT_MAX {
            return (&text[..at], true);
        }
    }
    (text, false)
}

/// Appends a text as XML. What XML does not allow or changes is written as `_x000D_` (ECMA-376, `ST_Xstring`), and so is the
/// underscore of a text that looks like this.
fn escape(text: &str, xml: &mut String) {
    for (at, letter) in text.char_indices() {
        match letter {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '_' if is_escape(text.as_bytes().get(at..)) => xml.push_str("_x005F_"),
            '\t' | '\n' => xml.push(letter),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                xml.push_str(&format!("_x{:04X}_", u32::from(letter)));
            }
            _ => xml.push(letter),
        }
    }
}

/// Whether a text starts with `_x000D_` or alike.
fn is_escape(text: Option<&[u8]>) -> bool {
    match text {
        Some([b'_', b'x', a, b, c, d, b'_', ..]) => {
            [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit())
        }
        _ => false,
    }
}

fn content_types() -> String {
    let part = |name: &str, kind: &str| {
        format!("<Override PartName=\"/xl/{name}.xml\" ContentType=\"{TYPES}.{kind}+xml\"/>")
    };
    format!(
        "{DECLARATION}<Types xmlns=\"{PACKAGE}/content-types\">\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>{}{}{}</Types>",
        part("workbook", "sheet.main"),
        part("worksheets/sheet1", "worksheet"),
        part("styles", "styles"),
    )
}

/// Relationships of a part: kind and target, with the ids `rId1`, `rId2`, …
fn relationships(targets: &[(&str, &str)]) -> String {
    let target = |(number, (kind, target)): (usize, &(&str, &str))| {
        let id = number + 1;
        format!("<Relationship Id=\"rId{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
    };
    let targets: String = targets.iter().enumerate().map(target).collect();
    format!(
        "{DECLARATION}<Relationships xmlns=\"{PACKAGE}/relationships\">{targets}</Relationships>"
    )
}

fn workbook(sheet: &str) -> String {
    format!(
        "{DECLARATION}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\">\
         <sheets><sheet name=\"{sheet}\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    )
}

fn styles() -> String {
    // General, bold text, text.
    let mut cells = vec![(0, 0), (49, 1), (49, 0)];
    let mut formats = vec!["yyyy\\-mm\\-dd hh:mm:ss&quot; UTC&quot;".to_owned()];
    formats.extend((0..=PLACES_MAX).map(|places| match places {
        0 => "0".to_owned(),
        places => format!("0.{}", "0".repeat(places)),
    }));
    cells.extend((0..formats.len()).map(|at| (FORMAT + at, 0)));
    let format = |(at, code): (usize, &String)| {
        format!(
            "<numFmt numFmtId=\"{}\" formatCode=\"{code}\"/>",
            FORMAT + at
        )
    };
    let cell = |(format, font): &(usize, usize)| {
        format!(
            "<xf numFmtId=\"{format}\" fontId=\"{font}\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\" applyFont=\"1\"/>"
        )
    };
    format!(
        "{DECLARATION}<styleSheet xmlns=\"{MAIN}\"><numFmts count=\"{}\">{}</numFmts>\
         <fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>\
         <font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>\
         <fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill></fills>\
         <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"{}\">{}</cellXfs>\
         <cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>",
        formats.len(),
        formats.iter().enumerate().map(format).collect::<String>(),
        cells.len(),
        cells.iter().map(cell).collect::<String>(),
    )
}

const LOCAL_ENTRY: u32 = 0x0403_4b50;
const DIRECTORY_ENTRY: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// Version of the format (1.0), which is needed to read stored entries.
const ZIP_VERSION: u16 = 10;
/// 1980-01-01, the earliest date: a file depends on its rows only.
const ZIP_DATE: u16 = 0x21;

/// A zip archive with stored entries (PKWARE's APPNOTE), below 4 GB: the dashboard's memory has no more.
#[derive(Default)]
struct Zip {
    parts: Vec<Vec<u8>>,
    size: u32,
    directory: Vec<u8>,
    count: u16,
}

impl Zip {
    /// Adds a file with a text in pieces.
    fn add(&mut self, name: &str, text: impl IntoIterator<Item = String>) {
        let pieces: Vec<Vec<u8>> = text.into_iter().map(String::into_bytes).collect();
        let size: u32 = pieces.iter().map(|piece| length(piece)).sum();
        let mut entry = Vec::new();
        // Flags, method and time are 0.
        shorts(&mut entry, &[ZIP_VERSION, 0, 0, 0, ZIP_DATE]);
        longs(&mut entry, &[checksum(&pieces), size, size]);
        // Neither has an extra field.
        let name_length = u16::try_from(name.len()).unwrap_or(u16::MAX);
        shorts(&mut entry, &[name_length, 0]);

        longs(&mut self.directory, &[DIRECTORY_ENTRY]);
        shorts(&mut self.directory, &[ZIP_VERSION]);
        self.directory.extend_from_slice(&entry);
        // Length of the comment, disk, attributes.
        shorts(&mut self.directory, &[0, 0, 0]);
        longs(&mut self.directory, &[0, self.size]);
        self.directory.extend_from_slice(name.as_bytes());
        self.count += 1;

        let mut local = Vec::new();
        longs(&mut local, &[LOCAL_ENTRY]);
        local.extend(entry);
        local.extend_from_slice(name.as_bytes());
        self.size += length(&local) + size;
        self.parts.push(local);
        self.parts.extend(pieces);
    }

    fn finish(mut self) -> Vec<Vec<u8>> {
        let mut end = Vec::new();
        longs(&mut end, &[END]);
        // Number of this disk and of that with the directory.
        shorts(&mut end, &[0, 0, self.count, self.count]);
        longs(&mut end, &[length(&self.directory), self.size]);
        // Length of the comment.
        shorts(&mut end, &[0]);
        self.parts.extend([self.directory, end]);
        self.parts
    }
}

fn shorts(bytes: &mut Vec<u8>, numbers: &[u16]) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn longs(bytes: &mut Vec<u8>, numbers: &[u32]) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX)
}

/// CRC-32 of each byte, by the reversed polynomial of zip.
static CHECKSUMS: [u32; 256] = {
    let mut all = [0; 256];
    let mut byte = 0;
    while byte < all.len() {
        let mut checksum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            let odd = checksum & 1 == 1;
            checksum = (checksum >> 1) ^ if odd { 0xedb8_8320 } else { 0 };
            bit += 1;
        }
        all[byte] = checksum;
        byte += 1;
    }
    all
};

/// CRC-32 of the pieces together.
fn checksum(pieces: &[Vec<u8>]) -> u32 {
    let bytes = pieces.iter().flatten();
    !bytes.fold(u32::MAX, |checksum, byte| {
        let [low, ..] = checksum.to_le_bytes();
        CHECKSUMS[usize::from(low ^ byte)] ^ (checksum >> 8)
    })
}
