/** English texts about statements that contradict each other. */
export const conflict = {
  fork: (sequence: number) =>
    `Nothing was signed. The server's statement ${sequence} does not continue the history that this browser saw ` +
    "before.",
  behind: (seen: number, shown: number) =>
    `Nothing was signed. The server's newest statement is number ${shown}, but this browser has seen number ${seen}.`,
  missing: "Nothing was signed. The server shows no statements, but this browser has seen some before.",
  unreadable: "Nothing was signed. The server's statement is invalid, or it is not of this community.",
  unnamed: "Nothing was signed. The message from the server does not name the statement that this page has checked.",
  meaning: {
    fork:
      "A community has one history of signed statements. A second one shows different rewards or debts to different " +
      "people. Both statements together, signed, prove it. Save both, and ask the community.",
    behind:
      "After a server is restored from a backup, this can happen for some minutes. Please try again later. If this " +
      "continues, statements were withdrawn: save what you have, and ask the community.",
    missing:
      "After a server is restored from a backup, this can happen for some minutes. Please try again later. If this " +
      "continues, statements were withdrawn: save what you have, and ask the community.",
    unreadable: "Please try again later. If this continues, save the file and ask the community.",
    unnamed: "Please reload the page and try again. If this continues, ask the community.",
  },
  safe: "Your stakes have not moved. You can't sign anything here until this is resolved, or you decide otherwise.",
  saveSeen: (sequence: number) => `Save statement ${sequence} that you saw before`,
  saveShown: "Save the statement shown now",
  id: (sequence: number, id: string) => `The statement ${sequence} that you saw before has the id ${id}.`,
  forget: "Continue with the server's statements",
  forgetNote: "Do this only if the community has explained it. This browser then forgets what it saw before.",
  forgotten: "Done. Start your action again.",
};
