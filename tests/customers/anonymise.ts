import type { TestWorkspace } from '@parley/testing/api';

/** Anonymises a customer and returns its newest erasure. */
export async function anonymise({ client }: TestWorkspace, customerId: string) {
  await client.customers.anonymise(customerId);
  const { data } = await client.erasures.list({ customerId, limit: 1 });
  const [erasure] = data;
  if (!erasure) throw new Error('an anonymisation left no erasure');
  return erasure;
}
