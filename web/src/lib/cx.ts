/** Joins class names; conditions that are false add none. */
export function cx(...classes: readonly (string | false)[]): string {
  return classes.filter(Boolean).join(" ");
}
