/** The English labels that customers read in every language if a rule has none, by type and name. */
export const impliedLabels = { yesNo: { yes: 'Yes', no: 'No' } } as const;

/** Returns the labels that customers read although the rule has none; undefined for all other rules. */
export function impliedLabelsOf(rule: Record<string, unknown>): Record<string, string> | undefined {
  return rule['type'] === 'yesNo' && rule['labels'] === undefined ? impliedLabels.yesNo : undefined;
}
