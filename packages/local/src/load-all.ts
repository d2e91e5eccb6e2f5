// Loads one entry after the other. Without an environment a service loads all its code, finds that it cannot start, and
// ends the process; the run itself shows its help and ends: here they must not, for the next one is to be loaded too.
const exit = process.exit.bind(process);
process.exit = (() => {}) as () => never;

const [node = '', , ...entries] = process.argv;
for (const entry of entries) {
  process.argv = [node, entry, '--help'];
  await import(entry);
}
exit(0);
