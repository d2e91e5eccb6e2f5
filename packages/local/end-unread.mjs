// Preloaded into the entry: when nobody reads its standard output on, say `| head`, it ends without a word, with the code of a
// program that SIGPIPE has ended. An entry that has something to tidy up then listens to that error itself.
process.stdout.on('error', (error) => {
  if (process.stdout.listenerCount('error') > 1) return;
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});
