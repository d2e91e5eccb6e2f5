// Preloaded into the entry: under npm, the end of npm is the end of what was asked for, however npm ended.
const npm = Number(process.env.PARLEY_PARENT_PID);

if (process.env.npm_lifecycle_event) {
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
