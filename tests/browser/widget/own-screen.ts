import { inject } from 'vitest';
import type { Shop } from './shop.ts';

/** Returns script code for `own-script.html` that connects a `customer`, with further `options` of `connect`. */
export function connectingScript(shop: Shop, options: string): string {
  const { baseUrl } = inject('local');
  return `
    const { connect } = await import(${JSON.stringify(`${baseUrl}/sdk/v1/client.js`)});
    const customer = connect({
      baseUrl: ${JSON.stringify(baseUrl)},
      workspaceId: ${JSON.stringify(shop.workspace.id)},
      getCustomerToken: async () => {
        const response = await fetch(location.pathname.replace('page', 'token'));
        return (await response.json()).customerToken;
      },
      onError: () => {},
      onOtherCustomer: () => {},
      ${options}
    });`;
}
