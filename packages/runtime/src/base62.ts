const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const valueOf = new Map([...alphabet].map((digit, value) => [digit, BigInt(value)]));
/** This many digits fit into a number exactly, and dividing a number is faster than dividing a bigint. */
const chunkLength = 8;
const chunk = 62n ** BigInt(chunkLength);

/** Returns a non-negative number in base 62 (`0-9A-Za-z`), padded with `0` on the left to the length. */
export function toBase62(value: bigint, lengthMin = 1): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= chunk) {
    let low = Number(rest % chunk);
    for (let place = 0; place < chunkLength; place += 1) {
      digits = alphabet.charAt(low % 62) + digits;
      low = Math.floor(low / 62);
    }
  }
  return digits.replace(/^0+/, '').padStart(lengthMin, '0');
}

/** Parses the text of `toBase62`. Any other character counts as `0`. */
export function fromBase62(digits: string): bigint {
  let value = 0n;
  for (const digit of digits) value = value * 62n + (valueOf.get(digit) ?? 0n);
  return value;
}
