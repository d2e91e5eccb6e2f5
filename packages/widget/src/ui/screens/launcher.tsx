import { Avatar } from '../look/avatar.tsx';
import { ChatIcon, CloseIcon, DownIcon } from '../look/icons.tsx';
import { useLanguage } from '../language/language-context.ts';

/** The button in the corner. `count` is the number in its badge; 0 shows none. */
export function Launcher(props: { botName: string; isOpen: boolean; count: number; onToggle(): void }) {
  const { botName, isOpen, count, onToggle } = props;
  const { say } = useLanguage();
  return (
    <button class="launcher" type="button" aria-expanded={isOpen} onClick={onToggle}>
      {isOpen ? <DownIcon /> : <ChatIcon />}
      <span class="hidden">{say('launcher', { bot: botName })} </span>
      {count > 0 && <span class="badge">{count > 9 ? '9+' : count}</span>}
    </button>
  );
}

/** The teaser beside the launcher, with a button to dismiss it. `action`: what a press does, for screen readers. */
export function Teaser(props: {
  botName: string;
  text: string;
  action: string | undefined;
  onOpen(): void;
  onDismiss(): void;
}) {
  const { botName, text, action, onOpen, onDismiss } = props;
  const { say } = useLanguage();
  return (
    <div class="teaser">
      <Avatar />
      <button class="words" type="button" onClick={onOpen}>
        <strong dir="auto">{botName}</strong>
        <span dir="auto">{text}</span>
        {action !== undefined && <em>{action}</em>}
      </button>
      <button class="round" type="button" aria-label={say('dismiss')} onClick={onDismiss}>
        <CloseIcon />
      </button>
    </div>
  );
}
