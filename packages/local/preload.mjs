// Preloaded into every entry of `run.sh`.

// Ends with the exit code of SIGPIPE if standard output has no reader, such as after `| head`. An entry that
// must clean up handles that error itself.
process.stdout.on('error', (error) => {
  if (process.stdout.listenerCount('error') > 1) return;
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});

// Under npm, the entry ends when npm ends, for any reason.
const npm = Number(process.env.PARLEY_PARENT_PID);
if (process.env.npm_lifecycle_event) {
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
