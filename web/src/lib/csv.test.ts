// @vitest-environment node
import { expect, it } from "vitest";
import { toCSV } from "./csv.ts";

it("quotes what would break a row, and keeps formulas text", () => {
  expect(toCSV([["a", 'say "hi"', "1,5", "two\nlines"]])).toBe('a,"say ""hi""","1,5","two\nlines"\r\n');
  expect(toCSV([["=1+1", "+1", "-1", "@x", "\tx", '=HYPERLINK("x")']])).toBe(
    `'=1+1,'+1,'-1,'@x,'\tx,"'=HYPERLINK(""x"")"\r\n`,
  );
  expect(toCSV([["1.5"], [""]])).toBe("1.5\r\n\r\n");
});
