// Preloaded into every entry of `run.sh`.

// Without a reader of standard output, such as after `| head`, ends with the exit code of SIGPIPE. An entry that has
// to clean up listens to that error itself.
process.stdout.on('error', (error) => {
  if (process.stdout.listenerCount('error') > 1) return;
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});

// Under npm, the end of npm ends the entry, however npm ended.
const npm = Number(process.env.PARLEY_PARENT_PID);
if (process.env.npm_lifecycle_event) {
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
