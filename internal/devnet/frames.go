package devnet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// frameHeader is the length and the CRC-32C of the payload, 4 bytes each, little endian.
const frameHeader = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// frames is an append-only file of checksummed records. When append returns, the records are on disk. Opening the file
// removes a record that a crash truncated.
type frames struct {
	file *os.File
	size int64
	last int64 // offset of the last record, for dropLast
}

// openFrames opens or creates the file and returns its records in order. It removes a truncated record at the end.
// Damage before the end is an error, because removing it would lose records that were on disk.
func openFrames(path string) (*frames, [][]byte, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(file)
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	f := &frames{file: file}
	var records [][]byte
	for {
		record, err := nextFrame(data[f.size:])
		if errors.Is(err, errTorn) {
			break
		}
		if err != nil {
			file.Close()
			return nil, nil, fmt.Errorf("%s is damaged at byte %d: %w", path, f.size, err)
		}
		records = append(records, record)
		f.last = f.size
		f.size += frameHeader + int64(len(record))
	}
	if err := f.cut(f.size); err != nil {
		file.Close()
		return nil, nil, err
	}
	return f, records, nil
}

var (
	errTorn     = errors.New("the last record is incomplete")
	errChecksum = errors.New("a record does not match its checksum")
)

// nextFrame reads the first record of data. It returns errTorn if no complete record is left, which can only be the
// result of the last write.
func nextFrame(data []byte) ([]byte, error) {
	if len(data) < frameHeader {
		return nil, errTorn
	}
	length := int64(binary.LittleEndian.Uint32(data))
	if length > int64(len(data)-frameHeader) {
		return nil, errTorn
	}
	record := data[frameHeader : frameHeader+length]
	if crc32.Checksum(record, castagnoli) == binary.LittleEndian.Uint32(data[4:]) && length > 0 {
		return record, nil
	}
	if frameHeader+length == int64(len(data)) || allZero(data) {
		return nil, errTorn
	}
	return nil, errChecksum
}

// allZero reports whether data is zeros: a tail that the file system allocated but did not write.
func allZero(data []byte) bool {
	for _, b := range data {
		if b != 0 {
			return false
		}
	}
	return true
}

// append writes the records and returns when they are on disk.
func (f *frames) append(records ...[]byte) error {
	if len(records) == 0 {
		return nil
	}
	var buffer []byte
	last := f.size
	for _, record := range records {
		last = f.size + int64(len(buffer))
		buffer = binary.LittleEndian.AppendUint32(buffer, uint32(len(record)))
		buffer = binary.LittleEndian.AppendUint32(buffer, crc32.Checksum(record, castagnoli))
		buffer = append(buffer, record...)
	}
	if _, err := f.file.WriteAt(buffer, f.size); err != nil {
		return errors.Join(err, f.cut(f.size))
	}
	if err := f.file.Sync(); err != nil {
		return errors.Join(err, f.cut(f.size))
	}
	f.last, f.size = last, f.size+int64(len(buffer))
	return nil
}

// dropLast removes the last record.
func (f *frames) dropLast() error {
	f.size = f.last
	return f.cut(f.size)
}

// replace replaces the content of the file by these records.
func (f *frames) replace(records [][]byte) error {
	f.size, f.last = 0, 0
	if err := f.cut(0); err != nil {
		return err
	}
	return f.append(records...)
}

func (f *frames) cut(size int64) error {
	if err := f.file.Truncate(size); err != nil {
		return err
	}
	return f.file.Sync()
}

func (f *frames) close() error { return f.file.Close() }
