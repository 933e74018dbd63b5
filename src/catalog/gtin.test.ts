import { describe, expect, it } from "vitest";
import { gtinFault, readGtin14, readIsbn10, toGtin14 } from "./gtin.ts";

describe("toGtin14", () => {
  it("pads JAN-8, UPC-12 and JAN-13 to the same 14 digits", () => {
    expect(toGtin14("4901234567894")).toBe("04901234567894");
    expect(toGtin14("036000291452")).toBe("00036000291452");
    expect(toGtin14("49012347")).toBe("00000049012347");
  });

  it("reads full-width digits, spaces and hyphens", () => {
    expect(toGtin14("４９０１２３４ ５６７８９４")).toBe("04901234567894");
    expect(toGtin14("490-1234-567894")).toBe("04901234567894");
    expect(toGtin14("490–1234−567894")).toBe("04901234567894");
  });

  it("reads past signs without a width, which copies of pages bring along", () => {
    expect(toGtin14("\u200E4901234567894\u200B")).toBe("04901234567894");
    expect(toGtin14("\uFEFF4901234567894")).toBe("04901234567894");
  });

  it.each([["4901234567893"], ["123"], ["abc"], [""], ["0000000000000"], [null]])(
    "refuses %s",
    (text) => {
      expect(toGtin14(text)).toBeNull();
    },
  );
});

describe("numbers that shops give to goods of their own", () => {
  const own = [
    "2000000000015",
    "0200000000004",
    "0412345678903",
    "212345678909",
    "20123451",
    "01234565",
    "1920979004603",
  ];

  it.each(own)("%s is no GTIN of a product, but may be asked for", (text) => {
    expect(toGtin14(text)).toBeNull();
    expect(readGtin14(text)).toBe(text.padStart(14, "0"));
  });

  it.each([
    "1234567890128",
    "12345678901231",
    "012345678905",
    "12345670",
    "9876543210982",
    "1111111111116",
    "99999995",
    "9999999999994",
  ])("%s, typed for want of a number, is no GTIN either", (text) => {
    expect(readGtin14(text)).toBe(text.padStart(14, "0"));
    expect(toGtin14(text)).toBeNull();
  });

  it.each([
    "4006381333931",
    "9784088831237",
    "30123458",
    "0012345678929",
    "4111111111113",
    "7777777777789",
  ])("%s is one", (text) => {
    expect(toGtin14(text)).not.toBeNull();
  });
});

describe("an ISBN of ten digits", () => {
  it.each([
    ["4591166635", "09784591166635"],
    ["4-591-16663-5", "09784591166635"],
    ["0-8044-2957-X", "09780804429573"],
    ["080442957x", "09780804429573"],
    ["0804429570", null],
    ["4591166634", null],
    ["45911666353", null],
    ["1111111111", null],
    ["0123456789", null],
    ["123456789X", null],
    ["X591166635", null],
    ["", null],
  ])("%j is the barcode %s", (text, gtin) => {
    expect(readIsbn10(text)).toBe(gtin);
    expect(toGtin14(text)).toBe(gtin);
  });
});

describe("what is wrong with a GTIN", () => {
  it.each([
    ["4901234567894", null],
    ["０４９０１２３４５６７８９４", null],
    ["490123456789a", "must consist of digits"],
    ["", "must consist of digits"],
    ["49012345678", "must have 8, 12, 13 or 14 digits; this has 11"],
    ["00000000", "must not be all zeros"],
    ["4901234567890", "its check digit is 0, but for the digits before it that would be 4"],
  ])("%j: %s", (text, fault) => {
    expect(gtinFault(text)).toBe(fault);
  });
});
