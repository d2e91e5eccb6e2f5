// For what is stopped and started again at its place: nobody is given the port in between by asking for any.
export { freePort } from '@parley/local/ports';
