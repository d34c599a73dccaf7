#!/usr/bin/python3
"""Prints the numbers that the talker publishes."""
import rospy
from std_msgs.msg import String

rospy.init_node("listener")
rospy.Subscriber("numbers", String, lambda message: print("heard", message.data, flush=True))
print("listening", flush=True)
rospy.spin()
