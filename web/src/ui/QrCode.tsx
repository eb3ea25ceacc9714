import { QRCodeSVG } from "qrcode.react";

/** 200 px with a margin of 4 modules, dark on white for all cameras. */
export default function QrCode({ value, title }: { value: string; title: string }) {
  return <QRCodeSVG value={value} size={200} marginSize={4} title={title} role="img" bgColor="#fff" fgColor="#000" />;
}
