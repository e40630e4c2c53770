// Reads XLSX files without the code that writes them: the zip by its directory, the XML by the browser's parser.

import assert from "node:assert/strict";
import { crc32 } from "node:zlib";

/** The entries of a zip whose entries are stored, by name. */
export function entries(zip) {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06"));
  assert.ok(end >= 0, "a zip has a directory");
  const found = new Map();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(zip.readUInt32LE(at), 0x02014b50, "an entry of the directory");
    const [method, sum, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)];
    const [named, extra, comment] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place));
    const name = zip.toString("utf8", at + 46, at + 46 + named);
    const local = zip.readUInt32LE(at + 42);
    assert.equal(zip.readUInt32LE(local), 0x04034b50, `${name} is where the directory says`);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(start, start + size);
    assert.equal(method, 0, `${name} is stored`);
    assert.equal(crc32(content), sum, `the checksum of ${name}`);
    found.set(name, content);
    at += 46 + named + extra + comment;
  }
  assert.equal(at, end, "the directory ends where the zip does");
  return found;
}

/**
 * The cells of the sheet, row by row and by heading: `text` or `number`, with the format of its style. Uses the XML parser of an
 * empty page: the dashboard's policy forbids to parse texts.
 */
export async function cells(page, zip) {
  const parts = Object.fromEntries([...entries(zip)].map(([name, content]) => [name, content.toString("utf8")]));
  const names = ["[Content_Types].xml", "_rels/.rels", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"];
  assert.deepEqual(Object.keys(parts).sort(), names);
  const empty = await page.context().newPage();
  const [head, ...rows] = await empty.evaluate((parts) => {
    const read = (name) => {
      const xml = new DOMParser().parseFromString(parts[name], "application/xml");
      if (xml.querySelector("parsererror")) throw new Error(`${name}: ${xml.documentElement.textContent}`);
      return xml;
    };
    for (const name of Object.keys(parts)) read(name);
    const styles = read("xl/styles.xml");
    const formats = new Map([...styles.querySelectorAll("numFmt")].map((one) => [one.getAttribute("numFmtId"), one.getAttribute("formatCode")]));
    const used = [...styles.querySelectorAll("cellXfs > xf")].map((one) => formats.get(one.getAttribute("numFmtId")) ?? one.getAttribute("numFmtId"));
    // Escaped characters: ECMA-376, ST_Xstring.
    const plain = (text) => text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
    const cell = (one) => {
      const column = one.getAttribute("r").replace(/\d+$/, "");
      const format = used[Number(one.getAttribute("s"))];
      const value = one.getAttribute("t") === "inlineStr" ? { text: plain(one.querySelector("is > t").textContent) } : { number: one.querySelector("v").textContent };
      return [column, { ...value, format }];
    };
    return [...read("xl/worksheets/sheet1.xml").querySelectorAll("sheetData > row")].map((row) => Object.fromEntries([...row.children].map(cell)));
  }, parts);
  await empty.close();
  const columns = Object.entries(head);
  return { headings: columns.map(([, { text }]) => text), rows: rows.map((row) => Object.fromEntries(columns.map(([column, { text }]) => [text, row[column]]))) };
}

/** The lines of a CSV file (RFC 4180), each as an array of cells. */
export function lines(csv) {
  assert.ok(csv.endsWith("\r\n"), "the last line is complete");
  const found = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
  while (cell.lastIndex < csv.length) {
    const start = cell.lastIndex;
    const [, quoted, plain, after] = cell.exec(csv) ?? assert.fail(`no cell at ${start}`);
    found.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
    if (after !== ",") found.push([]);
  }
  found.pop();
  return found;
}
