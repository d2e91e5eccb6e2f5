// Loads the entry of each service in turn. Without an environment a service loads all its code, finds that it cannot
// start, and ends the process: here it must not, for the next one is to be loaded too.
const exit = process.exit.bind(process);
process.exit = (() => {}) as () => never;

for (const entry of process.argv.slice(2)) await import(entry);
exit(0);
