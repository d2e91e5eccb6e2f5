import type { ComponentChildren } from 'preact';

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

export const ChatIcon = () => (
  <Icon>
    <path d="M4 12a7.5 7.5 0 0 1 7.5-7.5h1a7.5 7.5 0 0 1 0 15H5.2a.7.7 0 0 1-.5-1.2l1-1A7.5 7.5 0 0 1 4 12Z" />
    <path d="M9 12h.01M12 12h.01M15 12h.01" />
  </Icon>
);

export const CloseIcon = () => (
  <Icon>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
);

export const DownIcon = () => (
  <Icon>
    <path d="m6 9.5 6 6 6-6" />
  </Icon>
);

export const SendIcon = () => (
  <Icon>
    <path class="turns" d="M5 12h13M12.5 5.5 19 12l-6.5 6.5" />
  </Icon>
);

export const DoneIcon = () => (
  <Icon>
    <path d="m5.5 12.5 4.5 4.5 8.5-9.5" />
  </Icon>
);

export const ClockIcon = () => (
  <Icon>
    <path d="M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM12 8v4.3l2.7 1.7" />
  </Icon>
);

export const OfflineIcon = () => (
  <Icon>
    <path d="M12 18.5h.01M9 15.2a4.4 4.4 0 0 1 6 0M5.9 11.9A8.9 8.9 0 0 1 9 10M15 10a8.9 8.9 0 0 1 3.1 1.9M4.5 4.5l15 15" />
  </Icon>
);

export const StarIcon = () => (
  <Icon>
    <path d="m12 3.8 2.5 5.2 5.7.8-4.1 4 1 5.7L12 16.8l-5.1 2.7 1-5.7-4.1-4 5.7-.8L12 3.8Z" />
  </Icon>
);
