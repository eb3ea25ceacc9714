/**
 * Returns rows as CSV (RFC 4180). A cell that a spreadsheet would read as a formula is quoted as text (OWASP, CSV
 * injection). Our numbers never begin with a sign and are not affected.
 */
export function toCSV(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(cell).join(",") + "\r\n").join("");
}

function cell(value: string): string {
  const escaped = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
