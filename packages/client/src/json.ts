/**
 * Returns the JSON of a value, as `JSON.stringify` does on a page without old libraries. Such libraries give arrays and
 * objects a `toJSON` that returns quoted text (Prototype.js before 1.7); these are ignored. A `toJSON` of another class
 * is used. Throws a TypeError for a cycle.
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key: string, converted: unknown) {
    const original = this[key];
    if (original instanceof Date) return Number.isNaN(original.getTime()) ? null : original.toISOString();
    const own = (original as { toJSON?: unknown } | null | undefined)?.toJSON;
    const isInherited = own === (Object.prototype as { toJSON?: unknown }).toJSON;
    return isInherited || Array.isArray(original) ? original : converted;
  });
}
