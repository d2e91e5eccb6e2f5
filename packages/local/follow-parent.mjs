// Preloaded into the process that the bootstrap starts: when the bootstrap is gone, however it went, this process gets
// the signal that the bootstrap would have forwarded. The channel to it keeps nothing alive.
if (process.channel && process.ppid === Number(process.env.PARLEY_BOOTSTRAP_PID)) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
