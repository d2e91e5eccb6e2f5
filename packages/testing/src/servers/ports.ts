// A port for a server that restarts. The system does not give it to others in between.
export { freePort } from '@parley/local/ports';
