import type { ReactNode } from "react";

function Icon({ children, className = "size-4" }: { children: ReactNode; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}

type Props = { className?: string };

export const LockIcon = (props: Props) => (
  <Icon {...props}>
    <rect x="3" y="7" width="10" height="7" rx="1.5" />
    <path d="M5 7V5a3 3 0 0 1 6 0v2" />
  </Icon>
);
export const CopyIcon = (props: Props) => (
  <Icon {...props}>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 2.5H4A1.5 1.5 0 0 0 2.5 4v6.5" />
  </Icon>
);
export const CheckIcon = (props: Props) => (
  <Icon {...props}>
    <path d="m3 8.5 3.5 3.5L13 4.5" />
  </Icon>
);
export const CloseIcon = (props: Props) => (
  <Icon {...props}>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
);
export const ClockIcon = (props: Props) => (
  <Icon {...props}>
    <circle cx="8" cy="8" r="6" />
    <path d="M8 4.5V8l2.5 1.5" />
  </Icon>
);
export const CalendarIcon = (props: Props) => (
  <Icon {...props}>
    <rect x="2" y="3.5" width="12" height="10.5" rx="1.5" />
    <path d="M2 7h12M5 1.5v3M11 1.5v3" />
  </Icon>
);
/** Switch account. */
export const SwitchIcon = (props: Props) => (
  <Icon {...props}>
    <path d="M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13" />
  </Icon>
);
/** Disconnect. */
export const LeaveIcon = (props: Props) => (
  <Icon {...props}>
    <path d="M6.5 2.5H4A1.5 1.5 0 0 0 2.5 4v8A1.5 1.5 0 0 0 4 13.5h2.5M6.5 8h7M11 5.5 13.5 8 11 10.5" />
  </Icon>
);
export const WalletIcon = (props: Props) => (
  <Icon {...props}>
    <path d="M12.5 5V3.5a1 1 0 0 0-1-1H4A1.5 1.5 0 0 0 4 5.5h8.5a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H4" />
    <path d="M4 13.5A1.5 1.5 0 0 1 2.5 12V4" />
    <path d="M10.75 9.5h.01" />
  </Icon>
);
export const PhoneIcon = (props: Props) => (
  <Icon {...props}>
    <rect x="4.5" y="1.5" width="7" height="13" rx="1.5" />
    <path d="M7.5 12.25h1" />
  </Icon>
);
export const OutIcon = (props: Props) => (
  <Icon {...props}>
    <path d="M9 3h4v4M13 3 7.5 8.5M11.5 9.5V12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5.5a1 1 0 0 1 1-1h2.5" />
  </Icon>
);
export const ArrowIcon = (props: Props) => (
  <Icon {...props}>
    <path d="M3 8h10M9 4l4 4-4 4" />
  </Icon>
);
