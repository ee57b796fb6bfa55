// A server that sends every value back, for Godot's StreamPeerTCP: put_var, get_var. echo PORT [--big-endian]
package main

import (
	"errors"
	"fmt"
	"log"
	"net"
	"os"

	"gdvar"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	for {
		connection, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(connection, len(os.Args) > 2 && os.Args[2] == "--big-endian")
	}
}

func serve(connection net.Conn, bigEndian bool) {
	defer connection.Close()
	peer := gdvar.NewStream(connection, nil)
	peer.BigEndian = bigEndian
	for {
		value, err := peer.GetVar()
		if peer.Lost() {
			fmt.Println("ended:", err)
			return
		}
		var refused *gdvar.Error
		if errors.As(err, &refused) {
			value = refused.Code
		}
		if err := peer.PutVar(value); err != nil {
			fmt.Println("lost:", err)
			return
		}
	}
}
