/** The texts around a guide in English. The guide itself is a document of the source (web/guide.go). */
export const guide = {
  contents: "On this page",
  /** Empty on an English page. */
  onlyEnglish: "",
};

export type GuideText = typeof guide;
