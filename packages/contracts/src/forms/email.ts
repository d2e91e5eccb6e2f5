const atom = String.raw`[^\s\u0000-\u001f\u007f-\u009f@.,:;"()<>\[\]\\]+`;

/** The form of an email address: a dotted local part and a dotted domain, international ones too. */
export const emailForm = new RegExp(`^${atom}(?:\\.${atom})*@${atom}(?:\\.${atom})+$`, 'u');
