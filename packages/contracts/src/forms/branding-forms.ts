/** The form of a colour, such as `#1f5c4a`. */
export const accentColorForm = /^#[0-9A-Fa-f]{6}$/;

/** The form of a link to an https page: a host without userinfo, and neither blanks nor control characters. */
export const httpsUrlForm =
  /^https:\/\/[^\s\u0000-\u001f\u007f-\u009f#%/:<>?@[\\\]^|]+(?::\d{1,5})?(?:[#/?][^\s\u0000-\u001f\u007f-\u009f]*)?$/u;
