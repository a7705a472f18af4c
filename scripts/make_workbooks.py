#!/usr/bin/env python3
"""Writes the workbooks of the tests, ordinary and hostile ones.

    pip install openpyxl odfpy xlsxwriter && python3 scripts/make_workbooks.py crates/hedgerow/tests/workbook

The files have fixed times, so that the same versions of the libraries write the same bytes.
"""

import datetime
import pathlib
import re
import sys
import zipfile

import openpyxl
import xlsxwriter
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

ROWS = [
    ["age", "job", "weight", "seen", "member", "zip"],
    [21, "nurse", 70.5, datetime.date(2020, 1, 1), True, 2139],
    [22, "nurse", 80.0, datetime.date(2020, 2, 29), False, 2140],
    [35, "cook", 65.25, datetime.date(2021, 5, 6), True, 10001],
    [36, "cook", 90.0, datetime.date(2021, 12, 31), True, 10002],
]
PEOPLE = [["age", "job"], [21, "nurse"], [22, "nurse"], [35, "cook"], [36, "cook"]]
MIMETYPE = "application/vnd.oasis.opendocument.spreadsheet"


def main():
    folder = pathlib.Path(sys.argv[1])
    plain(folder / "plain.xlsx")
    odd(folder / "odd.xlsx")
    faults(folder / "faults.xlsx")
    sheets(folder / "sheets.xlsx")
    same_names(folder / "same_names.xlsx")
    title(folder / "title.xlsx")
    uncalculated(folder / "uncalculated.xlsx")
    save({"Empty": []}, folder / "empty.xlsx")
    shared(folder / "shared.xlsx")
    open_document(folder / "plain.ods")
    hostile(folder)


def plain(path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "People"
    for row in ROWS:
        sheet.append(row)
    for cell in sheet["F"][1:]:
        cell.number_format = "00000"
    write(book, path)


def shared(path):
    """The same table with a list of strings, as Excel writes them, and the days since 1904."""
    book = xlsxwriter.Workbook(path, {"default_date_format": "yyyy-mm-dd", "date_1904": True})
    sheet = book.add_worksheet("People")
    for place, row in enumerate(ROWS):
        sheet.write_row(place, 0, row)
    sheet.set_column(5, 5, None, book.add_format({"num_format": "00000"}))
    for place, row in enumerate(ROWS[1:], 1):
        sheet.write(place, 5, row[5], book.add_format({"num_format": "00000"}))
    book.set_properties({"created": datetime.datetime(2020, 1, 1)})
    book.close()
    repack(path)


def odd(path):
    """Empty rows and columns around and in the table, times, and an index without a name."""
    book = openpyxl.Workbook()
    sheet = book.active
    rows = [
        [None, "at", "on", "took"],
        [1, datetime.time(8, 30), datetime.datetime(2020, 1, 1, 8, 30), datetime.timedelta(hours=36)],
        [2, datetime.time(0, 0), datetime.datetime(2020, 1, 2), datetime.timedelta(minutes=90)],
    ]
    for place, row in enumerate(rows):
        for column, value in enumerate(row):
            # A column between the second and the third is empty.
            sheet.cell(row=3 + 2 * place, column=2 + column + (column > 1), value=value)
    sheet.cell(row=40, column=9, value="")
    write(book, path)


def faults(path):
    book = openpyxl.Workbook()
    sheet = book.active
    for row in [["age", "rate", "note"], [21, 0.5, "a"], [22, "#DIV/0!", "b"], [35, "#N/A", "#REF!"], [36, 1, "c"]]:
        sheet.append(row)
    write(book, path)


def sheets(path):
    save({"Data": PEOPLE, "Old data": PEOPLE[:3], "Notes": []}, path)


def same_names(path):
    save({"Data": PEOPLE, "Date": PEOPLE}, path)
    rewrite(path, "xl/workbook.xml", lambda text: text.replace('name="Date"', 'name="Data"'))


def title(path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"] = "Patients of 2020"
    sheet.merge_cells("A1:B1")
    for row in PEOPLE:
        sheet.append(row)
    write(book, path)


def uncalculated(path):
    book = openpyxl.Workbook()
    for row in [["age", "next"], [21, "=A2+1"], [22, 23]]:
        book.active.append(row)
    write(book, path)


def open_document(path):
    document = OpenDocumentSpreadsheet()
    table = Table(name="People")
    for row in ROWS:
        line = TableRow()
        for value in row:
            line.addElement(cell_of(value))
        table.addElement(line)
    # Programs fill the sheet with repeated empty rows and cells.
    last = TableRow(numberrowsrepeated=1048571)
    last.addElement(TableCell(numbercolumnsrepeated=16384))
    table.addElement(last)
    document.spreadsheet.addElement(table)
    document.save(str(path))
    repack(path)


def cell_of(value):
    if isinstance(value, bool):
        return TableCell(valuetype="boolean", booleanvalue=str(value).lower())
    if isinstance(value, datetime.date):
        return TableCell(valuetype="date", datevalue=value.isoformat())
    if isinstance(value, (int, float)):
        return TableCell(valuetype="float", value=str(value))
    cell = TableCell(valuetype="string")
    cell.addElement(P(text=value))
    return cell


def hostile(folder):
    ods_of(folder / "repeated.ods", '<table:table-row table:number-rows-repeated="1048576"><table:table-cell '
           'table:number-columns-repeated="16384" office:value-type="float" office:value="1"/></table:table-row>')
    spaces = '<text:p><text:s text:c="99999999999"/></text:p>'
    ods_of(folder / "spaces.ods", f'<table:table-row><table:table-cell office:value-type="string">{spaces}'
           '</table:table-cell></table:table-row>')
    ods_of(folder / "references.ods", '<table:table-row table:number-rows-repeated="&#49;048576"><table:table-cell '
           'table:number-columns-repeated="&#49;6384" office:value-type="float" office:value="1"/></table:table-row>')
    ods_of(folder / "open.ods", "<table:table-row>", end="")
    ods_of(folder / "encrypted.ods", "", manifest="<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>")
    far(folder / "far.xlsx")
    shared(folder / "announced.xlsx")
    announce = lambda text: re.sub(r'uniqueCount="\d+"', 'uniqueCount="99999999999"', text)
    rewrite(folder / "announced.xlsx", "xl/sharedStrings.xml", announce)
    save({"Data": PEOPLE}, folder / "truncated.xlsx")
    whole = (folder / "truncated.xlsx").read_bytes()
    (folder / "truncated.xlsx").write_bytes(whole[: len(whole) // 2])
    with zipfile.ZipFile(folder / "archive.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        put(archive, "table.csv", "age,job\n21,nurse\n")
    (folder / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504))
    name = "EncryptedPackage".encode("utf-16-le")
    (folder / "encrypted.xlsx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + name)


def far(path):
    """Two cells in opposite corners of a sheet."""
    book = openpyxl.Workbook()
    book.active["A1"] = "age"
    book.active["A2"] = 21
    book.active["XFD1"] = "job"
    book.active["XFD1048576"] = "cook"
    write(book, path)


def ods_of(path, rows, end="</table:table></office:spreadsheet></office:body></office:document-content>", manifest=""):
    spaces = ["office", "table", "text", "manifest"]
    names = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in spaces)
    content = f'<office:document-content {names}><office:body><office:spreadsheet><table:table table:name="T">{rows}{end}'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        put(archive, "mimetype", MIMETYPE)
        put(archive, "META-INF/manifest.xml", f"<manifest:manifest {names}>{manifest}</manifest:manifest>")
        put(archive, "content.xml", content)


def save(tables, path):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in tables.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    write(book, path)


def write(book, path):
    book.properties.created = book.properties.modified = datetime.datetime(2020, 1, 1)
    book.save(path)
    repack(path)


def rewrite(path, part, change):
    repack(path, lambda name, data: change(data.decode()).encode() if name == part else data)


def repack(path, change=lambda name, data: data):
    with zipfile.ZipFile(path) as archive:
        parts = [(info.filename, archive.read(info)) for info in archive.infolist()]
    times = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?(?=</)")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in parts:
            data = times.sub(b"2020-01-01T00:00:00Z", data) if name in ("docProps/core.xml", "meta.xml") else data
            put(archive, name, change(name, data))


def put(archive, name, data):
    info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
    archive.writestr(info, data)


if __name__ == "__main__":
    main()
