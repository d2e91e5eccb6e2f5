/** Stands for a value that an answer or the audit log must not have: personal data, or a secret. */
export const hidden = '[hidden]';
