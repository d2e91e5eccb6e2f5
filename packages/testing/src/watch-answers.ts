import { inject } from 'vitest';
import { type ApiDocument, type Contract, createContract, type SeenAnswer } from './contract.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The API's own description. */
    openapi: ApiDocument;
  }
}

let contract: Contract | undefined;
const faults: string[] = [];

/** Notes an answer that is not as the API's description says. What is no answer of the API is no matter. */
export function watchAnswer(answer: SeenAnswer): void {
  if (!/^\/(?:v1|public\/v1|healthz|readyz|openapi\.json)(?:[/?]|$)/.test(answer.path)) return;
  contract ??= createContract(inject('openapi'));
  const fault = contract.faultOf(answer);
  if (fault) faults.push(fault);
}

/** The faults since the last call. */
export function takeFaults(): string[] {
  return faults.splice(0);
}
