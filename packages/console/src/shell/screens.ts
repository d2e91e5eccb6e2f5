import { Activity, Bot, KeyRound, MessagesSquare, Settings, Users, Webhook } from 'lucide-react';

/** The screens of the navigation. `key` opens one after `g`. */
export const screens = [
  { id: 'overview', to: '/w/$workspaceId', key: 'o', icon: Activity },
  { id: 'interactions', to: '/w/$workspaceId/interactions', key: 'i', icon: MessagesSquare },
  { id: 'customers', to: '/w/$workspaceId/customers', key: 'c', icon: Users },
  { id: 'bots', to: '/w/$workspaceId/bots', key: 'b', icon: Bot },
  { id: 'webhooks', to: '/w/$workspaceId/webhooks', key: 'w', icon: Webhook },
  { id: 'access', to: '/w/$workspaceId/access', key: 'a', icon: KeyRound },
  { id: 'settings', to: '/w/$workspaceId/settings', key: 's', icon: Settings },
] as const;
