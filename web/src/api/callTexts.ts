/** What a failed call throws, in the words of the specification (section 8). */
export const callTexts = {
  /** Of an HTTP status other than 2xx. */
  status(status: number, statusText: string): string {
    if (status === 404) return "404, Not Found";
    if (status === 500) return "500, Internal Server Error";
    return statusText || String(status);
  },
  noBody: "Null APIResponse",
  /** Of an answer that is unreadable, or a refusal without a reason. */
  unexpected: (call: string): string => `${call.replace(/^\//, "")} went wrong in a strange way`,
};
