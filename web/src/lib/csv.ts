/**
 * Rows as a CSV file after RFC 4180. A cell that a spreadsheet would take for a formula is quoted as text (OWASP, CSV
 * injection); so is none of our own numbers, which never begin with a sign.
 */
export function toCSV(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(cell).join(",") + "\r\n").join("");
}

function cell(value: string): string {
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
