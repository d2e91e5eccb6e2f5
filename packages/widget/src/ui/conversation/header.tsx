import { useContext } from 'preact/hooks';
import { Avatar } from '../look/avatar.tsx';
import { BrandContext } from '../look/brand.tsx';
import { CloseIcon } from '../look/icons.tsx';
import { useLanguage } from '../language/language-context.ts';

/**
 * The names of bot and company, the mark of a test, the progress (0 to 1) if known, and a close button if the screen
 * can close.
 */
export function Header(props: {
  titleId: string;
  isPage: boolean;
  botName: string;
  isTest: boolean;
  progress: number | undefined;
  onClose: (() => void) | undefined;
}) {
  const { titleId, isPage, botName, isTest, progress, onClose } = props;
  const { say } = useLanguage();
  const displayName = useContext(BrandContext).displayName;
  const name = botName === '' ? say('conversation') : botName;
  // On a page of its own, customers first want to know whose it is.
  const [title, subtitle] = isPage && displayName ? [displayName, botName] : [name, displayName];
  const Title = isPage ? 'h1' : 'h2';
  const percent = Math.round((progress ?? 0) * 100);
  return (
    <header>
      <Avatar />
      <div class="titles">
        <Title id={titleId} dir="auto">
          {title}
        </Title>
        {subtitle && <p dir="auto">{subtitle}</p>}
      </div>
      {isTest && <strong class="test">{say('test')}</strong>}
      {onClose !== undefined && (
        <button class="round" type="button" aria-label={say('close')} onClick={onClose}>
          <CloseIcon />
        </button>
      )}
      {progress !== undefined && (
        <div
          class="progress"
          role="progressbar"
          aria-label={say('progress')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <div style={{ inlineSize: `${percent}%` }} />
        </div>
      )}
    </header>
  );
}
