import { QRCodeSVG } from "qrcode.react";

/** 200 px with a margin of 4 modules, dark on white for all cameras. */
export default function PayQr({ uri, title }: { uri: string; title: string }) {
  return <QRCodeSVG value={uri} size={200} marginSize={4} title={title} role="img" bgColor="#fff" fgColor="#000" />;
}
